/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/cbor.h>

#include <string.h>

/* Values of a head's low five bits that say how many bytes of the argument follow (RFC 8949, 3). */
#define ONE_BYTE 24u

/* Numbers of simple values (3.3). */
#define SIMPLE_FALSE 20u
#define SIMPLE_TRUE 21u
#define SIMPLE_NULL 22u

void corral_cbor_begin(struct corral_cbor *writer, uint8_t *data, size_t size)
{
    *writer = (struct corral_cbor){data, size, 0, false};
}

void corral_cbor_raw(struct corral_cbor *writer, const uint8_t *data, size_t length)
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

static void write_head(struct corral_cbor *writer, uint8_t kind, uint64_t argument)
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
    head[0] = (uint8_t)(kind << 5 | (bytes == 0 ? (uint8_t)argument : code));
    for (uint8_t i = bytes; i > 0; i--) {
        head[i] = (uint8_t)argument;
        argument >>= 8;
    }
    corral_cbor_raw(writer, head, 1u + bytes);
}

/* Two functions, because on 8 bits each call with an argument of 64 takes it eight registers. */
void corral_cbor_head(struct corral_cbor *writer, uint8_t kind, size_t argument)
{
    write_head(writer, kind, argument);
}

void corral_cbor_long(struct corral_cbor *writer, uint64_t value)
{
    write_head(writer, CORRAL_CBOR_UNSIGNED, value);
}

void corral_cbor_null(struct corral_cbor *writer)
{
    corral_cbor_head(writer, CORRAL_CBOR_SIMPLE, SIMPLE_NULL);
}

void corral_cbor_bool(struct corral_cbor *writer, bool value)
{
    corral_cbor_head(writer, CORRAL_CBOR_SIMPLE, value ? SIMPLE_TRUE : SIMPLE_FALSE);
}

void corral_cbor_int(struct corral_cbor *writer, int32_t value)
{
    if (value < 0) {
        write_head(writer, CORRAL_CBOR_NEGATIVE, (uint32_t)(-1 - value));
    } else {
        write_head(writer, CORRAL_CBOR_UNSIGNED, (uint32_t)value);
    }
}

void corral_cbor_bytes(struct corral_cbor *writer, const uint8_t *data, size_t length)
{
    corral_cbor_head(writer, CORRAL_CBOR_BYTES, length);
    corral_cbor_raw(writer, data, length);
}

void corral_cbor_text(struct corral_cbor *writer, const char *text)
{
    const size_t length = strlen(text);

    corral_cbor_head(writer, CORRAL_CBOR_TEXT, length);
    corral_cbor_raw(writer, (const uint8_t *)text, length);
}
