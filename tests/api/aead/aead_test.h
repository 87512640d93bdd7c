/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the tests of AEAD: the algorithms of the build, and a message for each. */
#ifndef AEAD_TEST_H
#define AEAD_TEST_H

#include <stdbool.h>
#include <string.h>

#include "../../harness/harness.h"

#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define TEXT_SIZE 45u
#define AD_SIZE 21u
#define TAG_SIZE 16u
#define WHOLE_SIZE (TEXT_SIZE + TAG_SIZE)

struct algorithm {
    psa_algorithm_t alg;
    psa_key_type_t type;
    size_t nonce_length;
};

static const struct algorithm algorithms[] = {
    {PSA_ALG_CCM, PSA_KEY_TYPE_AES, 13},
    {PSA_ALG_GCM, PSA_KEY_TYPE_AES, 12},
    {PSA_ALG_CHACHA20_POLY1305, PSA_KEY_TYPE_CHACHA20, 12},
};
#define ALGORITHM_COUNT (sizeof algorithms / sizeof algorithms[0])

static const uint8_t nonce[24] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
static const uint8_t ad[AD_SIZE] = "this is in the clear";
static const uint8_t text[TEXT_SIZE] = "and this is not, or not before it is opened.";
static const uint8_t key_data[32] = "0123456789abcdef0123456789abcde";

/* A key with a policy for `policy`, destroyed after the test. */
static inline psa_key_id_t key_with(const struct algorithm *a, psa_algorithm_t policy,
                                    psa_key_usage_t usage)
{
    return test_import(a->type, policy, usage, key_data, a->type == PSA_KEY_TYPE_AES ? 16 : 32);
}

static inline psa_key_id_t key_for(const struct algorithm *a)
{
    return key_with(a, a->alg, BOTH);
}

static inline psa_status_t seal(const struct algorithm *a, psa_key_id_t key, psa_algorithm_t alg,
                                uint8_t *output, size_t size, size_t *n)
{
    return psa_aead_encrypt(key, alg, nonce, a->nonce_length, ad, AD_SIZE, text, TEXT_SIZE, output,
                            size, n);
}

static inline psa_status_t unseal(const struct algorithm *a, psa_key_id_t key, psa_algorithm_t alg,
                                  const uint8_t *input, size_t length, uint8_t *output, size_t size,
                                  size_t *n)
{
    return psa_aead_decrypt(key, alg, nonce, a->nonce_length, ad, AD_SIZE, input, length, output,
                            size, n);
}

/* An operation with its nonce, and with lengths announced if `is_announced` or if they must be. */
static inline psa_aead_operation_t begin(const struct algorithm *a, psa_key_id_t key,
                                         bool is_encrypt, bool is_announced)
{
    psa_aead_operation_t operation = psa_aead_operation_init();

    NEED(is_encrypt ? psa_aead_encrypt_setup(&operation, key, a->alg)
                    : psa_aead_decrypt_setup(&operation, key, a->alg));
    if (is_announced || a->alg == PSA_ALG_CCM) {
        NEED(psa_aead_set_lengths(&operation, AD_SIZE, TEXT_SIZE));
    }
    NEED(psa_aead_set_nonce(&operation, nonce, a->nonce_length));
    return operation;
}

/* That an operation has failed: the walk checks the meaning. */
static inline void check_failed(psa_aead_operation_t *operation, psa_key_id_t key,
                                psa_algorithm_t alg)
{
    EXPECT(PSA_ERROR_BAD_STATE, psa_aead_encrypt_setup(operation, key, alg));
    EXPECT(PSA_SUCCESS, psa_aead_abort(operation));
    CHECK(test_all((const uint8_t *)operation, sizeof *operation, 0));
}

#endif
