/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading CBOR (RFC 8949) item by item, in place. Only what is encoded deterministically is taken:
 * shortest heads, definite lengths. Nothing is nested by the reader: who reads an array or a map is
 * told how many entries follow.
 */
#ifndef FLEET_CBOR_READ_H
#define FLEET_CBOR_READ_H

#include <corral/cbor.h>

/* What is left to read. */
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

/* Take the next item; of an array, a map or a tag only the head. false: there is none, one that is
 * not whole by the count of its entries, or one whose argument has more than 32 bits and that is no
 * integer, as long floats are. */
bool fleet_cbor_take(struct fleet_cbor_source *source, struct fleet_cbor_item *item);

/*
 * Take what can only be written in one way: the bytes of `before`, and so many more behind them,
 * which are returned. NULL: something else stands there; nothing was taken.
 */
const uint8_t *fleet_cbor_behind(struct fleet_cbor_source *source, const uint8_t *before,
                                 uint8_t before_length, uint8_t length);

/* Take a whole item, whatever it holds, and say where it is. false: it is not whole. */
bool fleet_cbor_skip(struct fleet_cbor_source *source, struct fleet_cbor_source *skipped);

#endif
