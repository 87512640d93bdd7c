/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages: RFC 7252, 3. */
#include "coap.h"

#include <string.h>

#include "coap_format.h"

static void put(struct fleet_coap_writer *writer, const uint8_t *data, size_t length)
{
    if (writer->is_full || length > writer->size - writer->length) {
        writer->is_full = true;
        return;
    }
    if (length > 0) {
        memcpy(writer->data + writer->length, data, length);
    }
    writer->length += length;
}

void fleet_coap_begin(struct fleet_coap_writer *writer, uint8_t *data, size_t size,
                      const struct fleet_coap_head *head)
{
    const uint8_t bytes[COAP_HEAD_SIZE] = {
        (uint8_t)(COAP_VERSION << 6 | (unsigned)head->type << 4 | head->token_length), head->code,
        (uint8_t)(head->id >> 8), (uint8_t)head->id};

    *writer = (struct fleet_coap_writer){data, size, 0, 0, false};
    put(writer, bytes, sizeof bytes);
    put(writer, head->token, head->token_length);
}

/* The nibble of a delta or length, and the bytes that extend it (3.1). Returns their number. */
static size_t extend(uint16_t value, uint8_t *nibble, uint8_t *bytes)
{
    if (value < COAP_EXTENDED_BY_ONE) {
        *nibble = (uint8_t)value;
        return 0;
    }
    if (value < COAP_BASE_OF_TWO) {
        *nibble = COAP_EXTENDED_BY_ONE;
        bytes[0] = (uint8_t)(value - COAP_EXTENDED_BY_ONE);
        return 1;
    }
    *nibble = COAP_EXTENDED_BY_TWO;
    value = (uint16_t)(value - COAP_BASE_OF_TWO);
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
    return 2;
}

void fleet_coap_option(struct fleet_coap_writer *writer, uint16_t number, const uint8_t *value,
                       size_t length)
{
    uint8_t head[5];
    uint8_t delta;
    uint8_t size;

    size_t used = 1 + extend((uint16_t)(number - writer->option), &delta, head + 1);
    used += extend((uint16_t)length, &size, head + used);
    head[0] = (uint8_t)(delta << 4 | size);
    put(writer, head, used);
    put(writer, value, length);
    writer->option = number;
}

void fleet_coap_uint(struct fleet_coap_writer *writer, uint16_t number, uint32_t value)
{
    uint8_t bytes[4];
    uint8_t at = sizeof bytes;

    for (; value != 0; value >>= 8) {
        bytes[--at] = (uint8_t)value;
    }
    fleet_coap_option(writer, number, bytes + at, sizeof bytes - at);
}

void fleet_coap_text(struct fleet_coap_writer *writer, uint16_t number, const char *text)
{
    fleet_coap_option(writer, number, (const uint8_t *)text, strlen(text));
}

void fleet_coap_path(struct fleet_coap_writer *writer, uint16_t number, const char *path)
{
    if (*path == '\0') {
        return;
    }
    for (;;) {
        const size_t length = strcspn(path, "/");
        fleet_coap_option(writer, number, (const uint8_t *)path, length);
        if (path[length] == '\0') {
            return;
        }
        path += length + 1;
    }
}

uint8_t *fleet_coap_payload(struct fleet_coap_writer *writer, size_t *room)
{
    const uint8_t marker = COAP_MARKER;

    put(writer, &marker, 1);
    *room = writer->is_full ? 0 : writer->size - writer->length;
    return writer->data + writer->length;
}

void fleet_coap_payload_is(struct fleet_coap_writer *writer, size_t length)
{
    if (length == 0) {
        writer->is_full = true;
    } else {
        writer->length += length;
    }
}

size_t fleet_coap_end(const struct fleet_coap_writer *writer)
{
    return writer->is_full ? 0 : writer->length;
}
