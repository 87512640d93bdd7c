/* SPDX-License-Identifier: Apache-2.0 */
#include "cbor_read.h"

#include <string.h>

/* Values of a head's low five bits (RFC 8949, 3): how many bytes of the argument follow. */
#define ONE_BYTE 24u
#define EIGHT_BYTES 27u

/* Take the argument, which has to be as short as it can be. */
static bool take_argument(struct fleet_cbor_source *source, uint8_t code,
                          struct fleet_cbor_item *item)
{
    uint_fast8_t bytes = 1;
    uint_fast8_t upper = 0; /* half, without which a shorter argument would do */

    item->is_long = code == EIGHT_BYTES;
    item->argument = code;
    if (code < ONE_BYTE) {
        return true;
    }
    bytes = (uint_fast8_t)(bytes << (code - ONE_BYTE));
    if (code > EIGHT_BYTES || bytes > source->length) {
        return false;
    }
    source->length -= bytes;
    uint32_t argument = 0;
    for (uint_fast8_t left = bytes; left > 0; left--) {
        const uint8_t byte = *source->data++;
        argument = argument << 8 | byte;
        if (left > bytes / 2) {
            upper = (uint_fast8_t)(upper | byte);
        }
    }
    item->argument = argument;
    return upper >= (bytes == 1 ? ONE_BYTE : 1u);
}

bool fleet_cbor_take(struct fleet_cbor_source *source, struct fleet_cbor_item *item)
{
    if (source->length == 0) {
        return false;
    }
    const uint8_t head = *source->data++;
    source->length--;
    item->kind = head >> 5;
    item->content = NULL;
    if (!take_argument(source, head & 0x1fu, item)) {
        return false;
    }
    if (item->is_long) { /* floats, and counts of more than there can be, are none */
        return item->kind <= CORRAL_CBOR_NEGATIVE;
    }
    if (item->kind < CORRAL_CBOR_BYTES || item->kind > CORRAL_CBOR_MAP) {
        return true;
    }
    if (item->argument > source->length) { /* an entry has a byte at least, as one of a string */
        return false;
    }
    if (item->kind > CORRAL_CBOR_TEXT) {
        return true;
    }
    item->content = source->data;
    source->data += item->argument;
    source->length -= (size_t)item->argument;
    return true;
}

const uint8_t *fleet_cbor_behind(struct fleet_cbor_source *source, const uint8_t *before,
                                 uint8_t before_length, uint8_t length)
{
    const uint8_t *data = source->data;
    const size_t taken = (size_t)before_length + length;

    if (taken > source->length || memcmp(data, before, before_length) != 0) {
        return NULL;
    }
    source->data += taken;
    source->length -= taken;
    return data + before_length;
}

bool fleet_cbor_skip(struct fleet_cbor_source *source, struct fleet_cbor_source *skipped)
{
    const uint8_t *data = source->data;
    struct fleet_cbor_item item;

    /* An item has a byte at least, so a count above the rest of the bytes is invalid. */
    for (size_t left = 1; left > 0;) {
        if (!fleet_cbor_take(source, &item)) {
            return false;
        }
        left -= item.kind != CORRAL_CBOR_TAG;
        if (item.kind == CORRAL_CBOR_ARRAY || item.kind == CORRAL_CBOR_MAP) {
            left += (size_t)item.argument << (item.kind - CORRAL_CBOR_ARRAY);
        }
        if (left > source->length) {
            return false;
        }
    }
    *skipped = (struct fleet_cbor_source){data, (size_t)(source->data - data)};
    return true;
}
