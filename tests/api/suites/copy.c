/* SPDX-License-Identifier: Apache-2.0 */
/* psa_copy_key() and how it combines two policies (PSA Crypto 1.5, 9.9.1). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define HMAC_256 PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define AT_LEAST(n) PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, n)
#define CUT(n) PSA_ALG_TRUNCATED_MAC(HMAC_256, n)
#define ECDSA_ANY_HASH PSA_ALG_ECDSA(PSA_ALG_ANY_HASH)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define ALL (PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_MESSAGE)

/* Copy a key of policy `source` asking for `wanted`: the copy has `result`, or is refused. */
static void check_algorithms(psa_key_type_t type, const uint8_t *data, size_t size,
                             psa_algorithm_t source, psa_algorithm_t wanted,
                             psa_status_t wanted_status, psa_algorithm_t result)
{
    const psa_key_id_t key = test_import(type, source, ALL, data, size);
    const psa_key_attributes_t attributes = test_attributes(type, 0, wanted, ALL);
    psa_key_attributes_t found;
    psa_key_id_t copy = 1;

    EXPECT(wanted_status, psa_copy_key(key, &attributes, &copy));
    if (wanted_status != PSA_SUCCESS) {
        CHECK(copy == PSA_KEY_ID_NULL);
    } else {
        test_keep(copy);
        CHECK(copy != key);
        NEED(psa_get_key_attributes(copy, &found));
        CHECK(psa_get_key_algorithm(&found) == result);
        CHECK(psa_get_key_usage_flags(&found) == ALL);
    }
    test_destroy_keys();
}

static void copy_key__algorithms__the_more_specific_one_stays(void)
{
    const struct {
        psa_algorithm_t source, wanted;
        psa_algorithm_t result; /* NONE: refused */
    } rows[] = {
        {HMAC_256, HMAC_256, HMAC_256},
        {AT_LEAST(16), HMAC_256, HMAC_256},
        {HMAC_256, AT_LEAST(16), HMAC_256},
        {AT_LEAST(16), CUT(16), CUT(16)},
        {AT_LEAST(16), CUT(20), CUT(20)},
        {CUT(20), AT_LEAST(16), CUT(20)},
        {AT_LEAST(16), CUT(12), PSA_ALG_NONE},
        {CUT(12), AT_LEAST(16), PSA_ALG_NONE},
        {AT_LEAST(16), AT_LEAST(8), AT_LEAST(16)},
        {AT_LEAST(8), AT_LEAST(16), AT_LEAST(16)},
        {AT_LEAST(16), AT_LEAST(16), AT_LEAST(16)},
        {CUT(16), CUT(12), PSA_ALG_NONE},
        {HMAC_256, CUT(16), PSA_ALG_NONE},
        {HMAC_256, PSA_ALG_HMAC(PSA_ALG_SHA_512), PSA_ALG_NONE},
        {AT_LEAST(16), PSA_ALG_HMAC(PSA_ALG_SHA_512), PSA_ALG_NONE},
        {HMAC_256, PSA_ALG_NONE, PSA_ALG_NONE},
        {PSA_ALG_NONE, HMAC_256, PSA_ALG_NONE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("policies", i);
        check_algorithms(PSA_KEY_TYPE_HMAC, hmac_key, sizeof hmac_key, rows[i].source,
                         rows[i].wanted,
                         rows[i].result != PSA_ALG_NONE ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                         rows[i].result);
    }
}

static void copy_key__any_hash__becomes_the_hash(void)
{
    const struct {
        psa_algorithm_t source, wanted, result;
    } rows[] = {
        {ECDSA_ANY_HASH, ECDSA_256, ECDSA_256},
        {ECDSA_256, ECDSA_ANY_HASH, ECDSA_256},
        {ECDSA_ANY_HASH, ECDSA_ANY_HASH, ECDSA_ANY_HASH},
        {ECDSA_ANY_HASH, PSA_ALG_ECDSA_ANY, PSA_ALG_NONE},
        {ECDSA_256, PSA_ALG_ECDSA(PSA_ALG_SHA_512), PSA_ALG_NONE},
        {ECDSA_ANY_HASH, PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256), PSA_ALG_NONE},
        {ECDSA_256, PSA_ALG_ECDH, PSA_ALG_NONE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("policies", i);
        check_algorithms(ECC_PAIR, p256_private, sizeof p256_private, rows[i].source,
                         rows[i].wanted,
                         rows[i].result != PSA_ALG_NONE ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                         rows[i].result);
    }
}

static void copy_key__usage__is_what_both_permit(void)
{
    const psa_key_id_t key = test_import(
        PSA_KEY_TYPE_AES, PSA_ALG_CTR,
        PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, aes_key, 16);
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_EXPORT);
    psa_key_attributes_t found;
    psa_key_id_t copy;
    uint8_t out[64];
    size_t n;

    NEED(psa_copy_key(key, &attributes, &copy));
    test_keep(copy);
    NEED(psa_get_key_attributes(copy, &found));
    CHECK(psa_get_key_usage_flags(&found) == PSA_KEY_USAGE_ENCRYPT);
    CHECK(psa_get_key_id(&found) == copy);
    CHECK(psa_get_key_type(&found) == PSA_KEY_TYPE_AES && psa_get_key_bits(&found) == 128);
    EXPECT(PSA_SUCCESS, psa_cipher_encrypt(copy, PSA_ALG_CTR, aes_text, 20, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_cipher_decrypt(copy, PSA_ALG_CTR, out, n, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(copy, out, sizeof out, &n));
}

static void copy_key__without_the_flag__is_not_permitted(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT, aes_key, 16);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t copy = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_copy_key(key, &attributes, &copy));
    CHECK(copy == PSA_KEY_ID_NULL);
}

static void copy_key__another_type_or_size__is_refused(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_COPY, aes_key, 16);
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_CTR, PSA_KEY_USAGE_COPY);
    psa_key_id_t copy = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_copy_key(key, &attributes, &copy));
    CHECK(copy == PSA_KEY_ID_NULL);
    const size_t others[] = {1, 64, 127, 129, 256};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        attributes = test_attributes(PSA_KEY_TYPE_AES, others[i], PSA_ALG_CTR, PSA_KEY_USAGE_COPY);
        copy = 1;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_copy_key(key, &attributes, &copy));
        CHECK(copy == PSA_KEY_ID_NULL);
    }
    attributes = test_attributes(PSA_KEY_TYPE_NONE, 0, PSA_ALG_CTR, PSA_KEY_USAGE_COPY);
    EXPECT(PSA_SUCCESS, psa_copy_key(key, &attributes, &copy));
    test_keep(copy);
}

static void copy_key__lifetimes__are_checked_like_those_of_new_keys(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_COPY, aes_key, 16);
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_COPY);
    psa_key_id_t copy = 1;

    psa_set_key_id(&attributes, 7);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_copy_key(key, &attributes, &copy));
    CHECK(copy == PSA_KEY_ID_NULL);
    psa_set_key_id(&attributes, PSA_KEY_ID_VENDOR_MIN);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_copy_key(key, &attributes, &copy));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, 0x00abcdef));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_copy_key(key, &attributes, &copy));
    CHECK(copy == PSA_KEY_ID_NULL);
}

static void copy_key__original_destroyed__the_copy_lives_on(void)
{
    const psa_key_id_t key =
        test_import(ECC_PAIR, ECDSA_256,
                    PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH,
                    p256_private, sizeof p256_private);
    const psa_key_attributes_t attributes = test_attributes(
        ECC_PAIR, 256, ECDSA_256, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    uint8_t signature[64];
    uint8_t point[65];
    psa_key_id_t copy;
    size_t n;

    NEED(psa_copy_key(key, &attributes, &copy));
    test_keep(copy);
    NEED(psa_destroy_key(key));
    EXPECT(PSA_SUCCESS, psa_sign_hash(copy, ECDSA_256, p256_hash, 32, signature, 64, &n));
    EXPECT(PSA_SUCCESS, psa_verify_hash(copy, ECDSA_256, p256_hash, 32, signature, 64));
    EXPECT(PSA_SUCCESS, psa_export_public_key(copy, point, sizeof point, &n));
    CHECK_BYTES(point, n, p256_public, sizeof p256_public);
}

static void copy_key__generated_pair__keeps_its_public_key(void)
{
    const psa_key_id_t key = test_generate(ECC_PAIR, 256, ECDSA_256, PSA_KEY_USAGE_COPY);
    const psa_key_attributes_t attributes = test_attributes(ECC_PAIR, 256, ECDSA_256, 0);
    uint8_t point[65];
    uint8_t of_copy[65];
    psa_key_id_t copy;
    size_t n;

    NEED(psa_export_public_key(key, point, sizeof point, &n));
    NEED(psa_copy_key(key, &attributes, &copy));
    test_keep(copy);
    NEED(psa_export_public_key(copy, of_copy, sizeof of_copy, &n));
    CHECK_BYTES(of_copy, n, point, sizeof point);
}

static const struct test_case tests[] = {
    TEST(copy_key__algorithms__the_more_specific_one_stays),
    TEST(copy_key__any_hash__becomes_the_hash),
    TEST(copy_key__usage__is_what_both_permit),
    TEST(copy_key__without_the_flag__is_not_permitted),
    TEST(copy_key__another_type_or_size__is_refused),
    TEST(copy_key__lifetimes__are_checked_like_those_of_new_keys),
    TEST(copy_key__original_destroyed__the_copy_lives_on),
    TEST(copy_key__generated_pair__keeps_its_public_key),
};

TEST_SUITE(copy, tests);
