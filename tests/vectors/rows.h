/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the table of vectors, decoded: for the files that test with them. */
#ifndef TEST_VECTORS_ROWS_H
#define TEST_VECTORS_ROWS_H

#include "vectors.h"

struct bytes {
    uint8_t *data;
    size_t length;
};

/* A row with its bytes, each in a buffer of exactly its size. */
struct row {
    const struct test_vector *vector;
    struct bytes key, iv, input, output;
    /* PSA_KEY_ID_NULL until a test puts a key here that is slow to import: it stays for the next
     * rows, while they have the same one. */
    psa_key_id_t *shared;
};

/* Run `test` over the rows of a kind; the test is skipped if there are none. */
void vectors_for_each(enum test_vector_kind kind, void (*test)(const struct row *row));

#endif
