/* SPDX-License-Identifier: Apache-2.0 */
#include "cbor_read.h"

/* Values of a head's low five bits (RFC 8949, 3): how many bytes of the argument follow. */
#define ONE_BYTE 24u
#define EIGHT_BYTES 27u

/* Take the argument, which has to be as short as it can be. */
static bool take_argument(struct fleet_cbor_source *source, uint8_t code,
                          struct fleet_cbor_item *item)
{
    const uint8_t bytes = (uint8_t)(code < ONE_BYTE ? 0u : 1u << (code - ONE_BYTE));
    const uint32_t least = bytes <= 1 ? ONE_BYTE : (uint32_t)1 << (4u * (bytes > 4 ? 4u : bytes));

    item->argument = code;
    item->is_long = false;
    if (bytes == 0) {
        return true;
    }
    if (code > EIGHT_BYTES || bytes > source->length) {
        return false;
    }
    item->argument = 0;
    for (uint8_t i = 0; i < bytes; i++) {
        item->is_long = item->is_long || item->argument >> 24 != 0;
        item->argument = item->argument << 8 | source->data[i];
    }
    source->data += bytes;
    source->length -= bytes;
    return bytes == 8 ? item->is_long : item->argument >= least;
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
    if (item->kind != CORRAL_CBOR_BYTES && item->kind != CORRAL_CBOR_TEXT) {
        return true;
    }
    if (item->argument > source->length) {
        return false;
    }
    item->content = source->data;
    source->data += item->argument;
    source->length -= (size_t)item->argument;
    return true;
}

bool fleet_cbor_expect(struct fleet_cbor_source *source, enum corral_cbor_kind kind,
                       uint32_t argument)
{
    struct fleet_cbor_item item;

    return fleet_cbor_take(source, &item) && item.kind == (uint8_t)kind && !item.is_long &&
           item.argument == argument;
}

/* How many items this one has inside; at most UINT32_MAX, which no message holds. */
static uint32_t entries_of(const struct fleet_cbor_item *item)
{
    switch (item->kind) {
    case CORRAL_CBOR_ARRAY:
        return item->argument;
    case CORRAL_CBOR_MAP:
        return item->argument > INT32_MAX ? UINT32_MAX : item->argument * 2u;
    case CORRAL_CBOR_TAG:
        return 1;
    default:
        return 0;
    }
}

bool fleet_cbor_skip(struct fleet_cbor_source *source, struct fleet_cbor_source *skipped)
{
    const uint8_t *data = source->data;
    struct fleet_cbor_item item;

    /* An entry has a byte at least, so that a count beyond what is left is none. */
    for (uint32_t left = 1; left > 0; left--) {
        if (!fleet_cbor_take(source, &item)) {
            return false;
        }
        const uint32_t entries = entries_of(&item);
        if (entries > source->length) {
            return false;
        }
        left += entries;
    }
    *skipped = (struct fleet_cbor_source){data, (size_t)(source->data - data)};
    return true;
}
