/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading CBOR (RFC 8949) item by item, in place. Only deterministic encodings are
 * accepted: shortest heads, definite lengths. The reader does not track nesting: for an
 * array or a map it returns the number of entries.
 */
#ifndef FLEET_CBOR_READ_H
#define FLEET_CBOR_READ_H

#include <corral/cbor.h>

/* The rest to read. */
struct fleet_cbor_source {
    const uint8_t *data;
    size_t length;
};

/* An item, or the head of one with entries. */
struct fleet_cbor_item {
    uint8_t kind; /* enum corral_cbor_kind */
    bool is_long; /* an integer whose argument has more than 32 bits, and is not here */
    uint32_t argument;
    const uint8_t *content; /* of a string: argument bytes */
};

/* Take the next item; of an array, a map or a tag only the head. Returns false if there
 * is none, if it is incomplete by the count of its entries, or if its argument has more
 * than 32 bits and is no integer, such as a long float. */
bool fleet_cbor_take(struct fleet_cbor_source *source, struct fleet_cbor_item *item);

/*
 * Take what can only be written in one way: the bytes of `before`, and so many more behind them,
 * which are returned. NULL: another item is there; nothing was taken.
 */
const uint8_t *fleet_cbor_behind(struct fleet_cbor_source *source, const uint8_t *before,
                                 uint8_t before_length, uint8_t length);

/* Take a whole item, whatever it holds, and say where it is. false: it is not whole. */
bool fleet_cbor_skip(struct fleet_cbor_source *source, struct fleet_cbor_source *skipped);

#endif
