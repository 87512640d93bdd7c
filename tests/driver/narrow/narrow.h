/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors where int has 16 bits and RAM 8 KB: they come one by one from the input file. A row is a
 * byte for its kind, the index of its algorithm and type, and four fields (../../vectors/row.py):
 * each with its length before it, in two bytes, the higher one first.
 */
#ifndef TEST_NARROW_H
#define TEST_NARROW_H

#include <stdbool.h>

#include "../../vectors/vectors.h"

struct narrow_bytes {
    const uint8_t *data;
    size_t length;
};

struct narrow_row {
    enum test_vector_kind kind;
    psa_algorithm_t alg;
    psa_key_type_t type;
    struct narrow_bytes key, iv, input, output;
};

/* Generated: algorithms and types by their index. */
struct narrow_name {
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

/* Whether what was written is that. */
bool narrow_wrote(const struct narrow_bytes *wanted);

/* Whether all that is done with a row, at once and in parts, gives what it says. */
bool narrow_hash(const struct narrow_row *row);
bool narrow_xof(const struct narrow_row *row);
bool narrow_mac(const struct narrow_row *row);
bool narrow_cipher(const struct narrow_row *row);
bool narrow_aead(const struct narrow_row *row);
bool narrow_wrap(const struct narrow_row *row);
bool narrow_derivation(const struct narrow_row *row);
bool narrow_agreement(const struct narrow_row *row);
bool narrow_verification(const struct narrow_row *row);
bool narrow_signature(const struct narrow_row *row);

#endif
