/* SPDX-License-Identifier: Apache-2.0 */
/* Reading messages: RFC 7252, 3. */
#include <string.h>

#include "coap.h"
#include "coap_format.h"

/* Bytes that are being read. */
struct source {
    const uint8_t *data;
    size_t length;
    size_t at;
};

/* Read a delta or length of an option whose nibble is known. false: malformed. */
static bool read_extended(struct source *source, unsigned nibble, uint32_t *value)
{
    const size_t bytes = nibble < COAP_EXTENDED_BY_ONE ? 0 : nibble - COAP_EXTENDED_BY_ONE + 1u;

    *value = nibble;
    if (nibble == COAP_RESERVED_NIBBLE || bytes > source->length - source->at) {
        return false;
    }
    const uint8_t *more = source->data + source->at;
    if (bytes == 1) {
        *value = COAP_EXTENDED_BY_ONE + more[0];
    } else if (bytes == 2) {
        *value = COAP_BASE_OF_TWO + ((uint32_t)more[0] << 8 | more[1]);
    }
    source->at += bytes;
    return true;
}

/* Read the option at option->next. false: malformed. */
static bool read_option(const uint8_t *data, size_t length, struct fleet_coap_option_value *option)
{
    struct source source = {data, length, option->next + 1};
    const uint8_t head = data[option->next];
    uint32_t delta;
    uint32_t size;

    if (!read_extended(&source, head >> 4, &delta) ||
        !read_extended(&source, head & 0x0fu, &size) || size > length - source.at ||
        delta > UINT16_MAX - (uint32_t)option->number) {
        return false;
    }
    option->number = (uint16_t)(option->number + delta);
    option->value = data + source.at;
    option->length = (size_t)size;
    option->next = source.at + (size_t)size;
    return true;
}

/* Go over all options and find the payload. false: malformed. */
static bool read_body(const uint8_t *data, size_t length, struct fleet_coap_message *message)
{
    struct fleet_coap_option_value option = {0};

    message->options = data;
    while (option.next < length && data[option.next] != COAP_MARKER) {
        if (!read_option(data, length, &option)) {
            return false;
        }
    }
    message->options_length = option.next;
    if (option.next == length) {
        return true;
    }
    message->payload = data + option.next + 1;
    message->payload_length = length - option.next - 1;
    return message->payload_length > 0; /* a marker with nothing behind it is an error */
}

enum fleet_coap_reading fleet_coap_read(const uint8_t *data, size_t length,
                                        struct fleet_coap_message *message)
{
    struct fleet_coap_head *head = &message->head;

    memset(message, 0, sizeof *message);
    if (length < COAP_HEAD_SIZE || data[0] >> 6 != COAP_VERSION) {
        return FLEET_COAP_UNKNOWN;
    }
    head->type = data[0] >> 4 & 3u;
    head->code = data[1];
    head->id = (uint16_t)((unsigned)data[2] << 8 | data[3]);
    const uint8_t token_length = data[0] & 0x0fu;
    const size_t body = COAP_HEAD_SIZE + (size_t)token_length;
    if (token_length > FLEET_COAP_MAX_TOKEN || body > length ||
        (head->code == FLEET_COAP_EMPTY && length > COAP_HEAD_SIZE)) {
        return FLEET_COAP_MALFORMED;
    }
    head->token_length = token_length;
    memcpy(head->token, data + COAP_HEAD_SIZE, token_length);
    return read_body(data + body, length - body, message) ? FLEET_COAP_READ : FLEET_COAP_MALFORMED;
}

bool fleet_coap_next(const struct fleet_coap_message *message,
                     struct fleet_coap_option_value *option)
{
    return option->next < message->options_length &&
           read_option(message->options, message->options_length, option);
}

bool fleet_coap_find(const struct fleet_coap_message *message, uint16_t number,
                     struct fleet_coap_option_value *option)
{
    *option = (struct fleet_coap_option_value){0};
    while (fleet_coap_next(message, option)) {
        if (option->number == number) {
            return true;
        }
    }
    return false;
}

uint32_t fleet_coap_number(const struct fleet_coap_option_value *option)
{
    uint32_t number = 0;

    for (size_t i = 0; i < option->length; i++) {
        if (number >> 24 != 0) {
            return UINT32_MAX;
        }
        number = number << 8 | option->value[i];
    }
    return number;
}
