/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing CBOR (RFC 8949), deterministically: shortest heads, definite lengths. What is written
 * here is a handful of heads, so nothing is nested by the writer: who writes an array or a map says
 * how many entries follow.
 */
#ifndef FLEET_CBOR_H
#define FLEET_CBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where is written. What does not fit is left out, and `is_full` says so from then on. */
struct fleet_cbor {
    uint8_t *data;
    size_t size;
    size_t length;
    bool is_full;
};

/* The kinds of items whose head has an argument; the numbers are major types (3.1). */
enum fleet_cbor_kind {
    FLEET_CBOR_UNSIGNED = 0,
    FLEET_CBOR_NEGATIVE = 1, /* of -1 - argument */
    FLEET_CBOR_BYTES = 2,    /* so many bytes follow */
    FLEET_CBOR_TEXT = 3,     /* so many bytes of UTF-8 follow */
    FLEET_CBOR_ARRAY = 4,    /* so many items follow */
    FLEET_CBOR_MAP = 5,      /* so many pairs of items follow */
    FLEET_CBOR_TAG = 6,      /* one item follows */
    FLEET_CBOR_SIMPLE = 7,   /* a value without content, of this number */
};

/* Begin with `size` bytes at `data`; with none at NULL only the length is counted. */
void fleet_cbor_begin(struct fleet_cbor *writer, uint8_t *data, size_t size);

/* Write the head of an item, in the fewest bytes. */
void fleet_cbor_head(struct fleet_cbor *writer, enum fleet_cbor_kind kind, uint64_t argument);

/* Write bytes as they are: what follows the head of a string, or items that are encoded already. */
void fleet_cbor_raw(struct fleet_cbor *writer, const uint8_t *data, size_t length);

/* Write null, or a Boolean. */
void fleet_cbor_null(struct fleet_cbor *writer);
void fleet_cbor_bool(struct fleet_cbor *writer, bool value);

/* Write an integer. */
void fleet_cbor_int(struct fleet_cbor *writer, int32_t value);

/* Write a byte string; `length` may be 0. */
void fleet_cbor_bytes(struct fleet_cbor *writer, const uint8_t *data, size_t length);

/* Write a text, given as a string that ends with a zero. */
void fleet_cbor_text(struct fleet_cbor *writer, const char *text);

#endif
