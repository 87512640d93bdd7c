/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing CBOR (RFC 8949), deterministically: shortest heads, definite lengths. The
 * writer encodes a few heads and does not track nesting. The caller states the number
 * of entries of each array or map.
 */
#ifndef CORRAL_CBOR_H
#define CORRAL_CBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Position of the next byte. Data that does not fit is left out, and `is_full` stays true. */
struct corral_cbor {
    uint8_t *data;
    size_t size;
    size_t length;
    bool is_full;
};

/* The kinds of items whose head has an argument; the numbers are major types (3.1). */
enum corral_cbor_kind {
    CORRAL_CBOR_UNSIGNED = 0,
    CORRAL_CBOR_NEGATIVE = 1, /* of -1 - argument */
    CORRAL_CBOR_BYTES = 2,    /* so many bytes follow */
    CORRAL_CBOR_TEXT = 3,     /* so many bytes of UTF-8 follow */
    CORRAL_CBOR_ARRAY = 4,    /* so many items follow */
    CORRAL_CBOR_MAP = 5,      /* so many pairs of items follow */
    CORRAL_CBOR_TAG = 6,      /* one item follows */
    CORRAL_CBOR_SIMPLE = 7,   /* a value without content, of this number */
};

/* Begin with `size` bytes at `data`; with none at NULL only the length is counted. */
void corral_cbor_begin(struct corral_cbor *writer, uint8_t *data, size_t size);

/* Write the head of an item of a kind (enum corral_cbor_kind), in the fewest bytes. */
void corral_cbor_head(struct corral_cbor *writer, uint8_t kind, size_t argument);

/* Write a number that a size_t need not hold. */
void corral_cbor_long(struct corral_cbor *writer, uint64_t value);

/* Write bytes unchanged: the content of a string, or items that are encoded already. */
void corral_cbor_raw(struct corral_cbor *writer, const uint8_t *data, size_t length);

/* Write null, or a Boolean. */
void corral_cbor_null(struct corral_cbor *writer);
void corral_cbor_bool(struct corral_cbor *writer, bool value);

/* Write an integer. */
void corral_cbor_int(struct corral_cbor *writer, int32_t value);

/* Write a byte string; `length` may be 0. */
void corral_cbor_bytes(struct corral_cbor *writer, const uint8_t *data, size_t length);

/* Write a text, given as a string that ends with a zero. */
void corral_cbor_text(struct corral_cbor *writer, const char *text);

#ifdef __cplusplus
}
#endif

#endif
