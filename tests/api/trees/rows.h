/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of LMS and HSS: tests/vectors/trees.py writes the values. */
#ifndef TREES_ROWS_H
#define TREES_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#define TREE_ROWS 2
/* The message that each of them signs. */
#define TREE_MESSAGE_SIZE 40

struct tree_row {
    psa_algorithm_t alg;
    psa_key_type_t type;
    const uint8_t *key;
    size_t key_size;
    const uint8_t *signature;
    size_t signature_size;
};

extern const uint8_t tree_message[TREE_MESSAGE_SIZE];
extern const struct tree_row tree_rows[TREE_ROWS];

#endif
