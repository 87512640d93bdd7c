/* SPDX-License-Identifier: Apache-2.0 */
#include "cbor.h"

#include <string.h>

/* Values of a head's low five bits that say how many bytes of the argument follow (RFC 8949, 3). */
#define ONE_BYTE 24u

/* Numbers of simple values (3.3). */
#define SIMPLE_FALSE 20u
#define SIMPLE_TRUE 21u
#define SIMPLE_NULL 22u

void fleet_cbor_begin(struct fleet_cbor *writer, uint8_t *data, size_t size)
{
    *writer = (struct fleet_cbor){data, size, 0, false};
}

void fleet_cbor_raw(struct fleet_cbor *writer, const uint8_t *data, size_t length)
{
    if (writer->is_full || length > writer->size - writer->length) {
        writer->is_full = true;
        return;
    }
    if (length > 0 && writer->data != NULL) {
        memcpy(writer->data + writer->length, data, length);
    }
    writer->length += length;
}

void fleet_cbor_head(struct fleet_cbor *writer, enum fleet_cbor_kind kind, uint64_t argument)
{
    uint8_t head[9];
    uint8_t bytes = 0; /* of the argument: 0, 1, 2, 4 or 8 */
    uint8_t code = ONE_BYTE;

    if (argument >= ONE_BYTE) {
        for (bytes = 1; bytes < 8 && (argument >> (8u * bytes)) != 0;
             bytes = (uint8_t)(bytes * 2)) {
            code++;
        }
    }
    head[0] = (uint8_t)((unsigned)kind << 5 | (bytes == 0 ? (uint8_t)argument : code));
    for (uint8_t i = bytes; i > 0; i--) {
        head[i] = (uint8_t)argument;
        argument >>= 8;
    }
    fleet_cbor_raw(writer, head, 1u + bytes);
}

void fleet_cbor_null(struct fleet_cbor *writer)
{
    fleet_cbor_head(writer, FLEET_CBOR_SIMPLE, SIMPLE_NULL);
}

void fleet_cbor_bool(struct fleet_cbor *writer, bool value)
{
    fleet_cbor_head(writer, FLEET_CBOR_SIMPLE, value ? SIMPLE_TRUE : SIMPLE_FALSE);
}

void fleet_cbor_int(struct fleet_cbor *writer, int32_t value)
{
    if (value < 0) {
        fleet_cbor_head(writer, FLEET_CBOR_NEGATIVE, (uint32_t)(-1 - value));
    } else {
        fleet_cbor_head(writer, FLEET_CBOR_UNSIGNED, (uint32_t)value);
    }
}

void fleet_cbor_bytes(struct fleet_cbor *writer, const uint8_t *data, size_t length)
{
    fleet_cbor_head(writer, FLEET_CBOR_BYTES, length);
    fleet_cbor_raw(writer, data, length);
}

void fleet_cbor_text(struct fleet_cbor *writer, const char *text)
{
    const size_t length = strlen(text);

    fleet_cbor_head(writer, FLEET_CBOR_TEXT, length);
    fleet_cbor_raw(writer, (const uint8_t *)text, length);
}
