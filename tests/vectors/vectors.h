/* SPDX-License-Identifier: Apache-2.0 */
/* The form of the generated table of vectors, and the tests that run over it. */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <stddef.h>

#include <psa/crypto.h>

enum test_vector_kind {
    TEST_HASH,
    TEST_MAC,
    TEST_CIPHER,
    TEST_VERIFY_HASH,
    TEST_SIGN_HASH,
    TEST_VERIFY_MESSAGE,
    TEST_SIGN_MESSAGE,
    TEST_AGREEMENT,
    TEST_DECRYPT,
    TEST_AEAD,
    TEST_XOF,
    TEST_WRAP,
    TEST_DECAPSULATE,
    TEST_ENCAPSULATE,
    TEST_DERIVATION,
};

/* ACCEPTABLE: refusing is right too, a wrong result is not. */
enum test_vector_result { TEST_VALID, TEST_INVALID, TEST_ACCEPTABLE };

struct test_vector {
    const char *title;
    const char *needs;  /* mechanism */
    const char *source; /* file of the package */
    enum test_vector_kind kind;
    psa_algorithm_t alg;
    psa_key_type_t type;
    /* In hexadecimal; what they mean depends on the kind, see row.py. */
    const char *key;
    const char *iv;
    const char *input;
    const char *output;
    enum test_vector_result result;
};

extern const struct test_vector test_vectors[];
extern const size_t test_vector_count;

#endif
