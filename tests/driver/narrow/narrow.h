/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors where int has 16 bits and RAM 8 KB: they come one by one from the input file. A row is
 * the index of its kind, algorithm and type in a byte, and four fields (../../vectors/row.py): each
 * with its length before it, in two bytes, the higher one first.
 */
#ifndef TEST_NARROW_H
#define TEST_NARROW_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/crypto.h>

struct narrow_bytes {
    const uint8_t *data;
    size_t length;
};

struct narrow_row {
    psa_algorithm_t alg;
    psa_key_type_t type;
    struct narrow_bytes key, iv, input, output;
};

typedef bool narrow_check(const struct narrow_row *row);

/* Generated: kinds, algorithms and types by their index. */
struct narrow_name {
    narrow_check *check;
    psa_algorithm_t alg;
    psa_key_type_t type;
};
extern const struct narrow_name narrow_names[];

/* Whatever is written, and its length. */
#define NARROW_ROOM 264u
extern uint8_t narrow_output[NARROW_ROOM];
extern size_t narrow_length;
#define NARROW_OUT narrow_output, NARROW_ROOM, &narrow_length

/* The row's key; PSA_KEY_ID_NULL where it is refused. */
psa_key_id_t narrow_key(const struct narrow_row *row, psa_key_usage_t usage);

/* Whether the written bytes are those. */
bool narrow_wrote(const struct narrow_bytes *wanted);

/* The head of the function for the rows of a kind, at once and in parts: whether it
 * gives the row's result. By its name it is found. */
#define NARROW_CHECK(kind)                                                                         \
    narrow_check narrow_##kind;                                                                    \
    bool narrow_##kind(const struct narrow_row *row)

#endif
