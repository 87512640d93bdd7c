/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of key encapsulation. Encapsulating is random, so that only keys and secrets are given.
 */
#include <string.h>

#include "../harness/harness.h"
#include "rows.h"

#define MAX_PUBLIC 1568u
#define MAX_CIPHERTEXT 1568u
#define SECRET_SIZE 32u

/* The size that the name of the mechanism ends with. */
static size_t bits_of(const struct row *row)
{
    size_t bits = 0;

    for (const char *c = strrchr(row->vector->needs, '_') + 1; *c != '\0'; c++) {
        bits = 10 * bits + (size_t)(*c - '0');
    }
    return bits;
}

static psa_status_t import(const struct row *row, psa_key_usage_t usage, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes =
        test_attributes(row->vector->type, bits_of(row), row->vector->alg, usage);

    return psa_import_key(&attributes, row->key.data, row->key.length, key);
}

static void check_public(const struct row *row, psa_key_id_t key)
{
    static uint8_t public_key[MAX_PUBLIC];
    size_t length;

    if (row->iv.length > 0) {
        EXPECT(PSA_SUCCESS, psa_export_public_key(key, public_key, sizeof public_key, &length));
        CHECK_BYTES(public_key, length, row->iv.data, row->iv.length);
    }
}

static void check_decapsulate(const struct row *row)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    uint8_t secret[SECRET_SIZE];
    psa_key_id_t pair;
    psa_key_id_t key = PSA_KEY_ID_NULL;
    size_t length;

    psa_status_t status = import(row, PSA_KEY_USAGE_DECRYPT, &pair);
    if (status == PSA_SUCCESS) {
        check_public(row, test_keep(pair));
        if (row->input.length > 0 || row->vector->result == TEST_INVALID) {
            status = psa_decapsulate(pair, row->vector->alg, row->input.data, row->input.length,
                                     &attributes, &key);
        }
    }
    EXPECT(row->vector->result == TEST_VALID ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT, status);
    if (status == PSA_SUCCESS && key != PSA_KEY_ID_NULL) {
        EXPECT(PSA_SUCCESS, psa_export_key(test_keep(key), secret, sizeof secret, &length));
        CHECK_BYTES(secret, length, row->output.data, row->output.length);
    }
}

TEST_FUNCTION(vectors__decapsulate__all_agree)
{
    vectors_for_each(TEST_DECAPSULATE, check_decapsulate);
}

static void check_encapsulate(const struct row *row)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    static uint8_t ciphertext[MAX_CIPHERTEXT];
    psa_key_id_t public_key;
    psa_key_id_t key;
    size_t length;

    const psa_status_t status = import(row, PSA_KEY_USAGE_ENCRYPT, &public_key);
    EXPECT(row->vector->result == TEST_INVALID ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS, status);
    if (status == PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, psa_encapsulate(test_keep(public_key), row->vector->alg, &attributes,
                                            &key, ciphertext, sizeof ciphertext, &length));
        (void)test_keep(key);
    }
}

TEST_FUNCTION(vectors__encapsulate__all_agree)
{
    vectors_for_each(TEST_ENCAPSULATE, check_encapsulate);
}
