/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes that the build does not compute, though a driver could name them in a signature. */
#include "unwanted.h"

#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"

#define USAGE (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)

/* alg: with SHA-384, in which the others take its place. */
static void refuse_others(psa_key_id_t key, psa_algorithm_t alg)
{
    static const uint8_t hash[64] = {1};
    static uint8_t signature[PSA_SIGNATURE_MAX_SIZE];
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_sign_hash(key, alg, hash, PSA_HASH_LENGTH(PSA_ALG_SHA_384), signature,
                                      sizeof signature, &length));
    for (size_t i = 0; i < UNWANTED_COUNT; i++) {
        const psa_algorithm_t other = unwanted_in(alg, i);
        test_context("hash", i);
        EXPECT(PSA_ERROR_NOT_SUPPORTED,
               psa_sign_hash(key, other, hash, PSA_HASH_LENGTH(unwanted[i]), signature,
                             sizeof signature, &length));
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_check_key_usage(key, other, PSA_KEY_USAGE_SIGN_HASH));
    }
    test_context(NULL, 0);
}

/* The same of signatures, whatever they are. */
static void refuse_to_verify_others(psa_key_id_t key, psa_algorithm_t alg)
{
    static const uint8_t hash[64] = {1};

    for (size_t i = 0; i < UNWANTED_COUNT; i++) {
        const psa_algorithm_t other = unwanted_in(alg, i);
        test_context("hash to verify", i);
        EXPECT(PSA_ERROR_NOT_SUPPORTED,
               psa_verify_hash(key, other, hash, PSA_HASH_LENGTH(unwanted[i]), rsa2048_crypt,
                               sizeof rsa2048_crypt));
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_check_key_usage(key, other, PSA_KEY_USAGE_VERIFY_HASH));
    }
    test_context(NULL, 0);
}

/* alg: with any hash, and with SHA-384. */
static void refuse_others_of_rsa(psa_algorithm_t any, psa_algorithm_t alg)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RSA_KEY_PAIR, any, USAGE, rsa1024_pair, sizeof rsa1024_pair);

    refuse_others(key, alg);
    refuse_to_verify_others(key, alg);
}

static void rsa_signature__with_an_unwanted_hash__is_not_supported(void)
{
    refuse_others_of_rsa(PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH),
                         PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_384));
    refuse_others_of_rsa(PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH), PSA_ALG_RSA_PSS(PSA_ALG_SHA_384));
}

static void rsa_verification__with_an_unwanted_hash__is_not_supported(void)
{
    const psa_algorithm_t alg = PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_RSA_KEY_PAIR, alg, USAGE, rsa1024_pair, sizeof rsa1024_pair);
    static const uint8_t hash[32] = {1};

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_verify_hash(key, alg, hash, sizeof hash, rsa1024_signature,
                                                    sizeof rsa1024_signature));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_check_key_usage(key, alg, PSA_KEY_USAGE_VERIFY_HASH));
}

static void deterministic_ecdsa__with_an_unwanted_hash__is_not_supported(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1),
                    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_ANY_HASH), PSA_KEY_USAGE_SIGN_HASH,
                    p256_private, sizeof p256_private);

    refuse_others(key, PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_384));
}

/* any: with any hash; alg: with SHA-384. */
static void refuse_others_of_pair(psa_key_type_t type, size_t bits, psa_algorithm_t any,
                                  psa_algorithm_t alg)
{
    const psa_key_attributes_t attributes = test_attributes(type, bits, any, USAGE);
    psa_key_id_t key;

    NEED(psa_generate_key(&attributes, &key));
    refuse_others(test_keep(key), alg);
    refuse_to_verify_others(key, alg);
}

static void hash_ml_dsa__with_an_unwanted_hash__is_not_supported(void)
{
    refuse_others_of_pair(PSA_KEY_TYPE_ML_DSA_KEY_PAIR, 128, PSA_ALG_HASH_ML_DSA(PSA_ALG_ANY_HASH),
                          PSA_ALG_HASH_ML_DSA(PSA_ALG_SHA_384));
}

static void hash_slh_dsa__with_an_unwanted_hash__is_not_supported(void)
{
    refuse_others_of_pair(PSA_KEY_TYPE_SLH_DSA_KEY_PAIR(PSA_SLH_DSA_FAMILY_SHA2_F), 128,
                          PSA_ALG_HASH_SLH_DSA(PSA_ALG_ANY_HASH),
                          PSA_ALG_HASH_SLH_DSA(PSA_ALG_SHA_384));
}

/* Neither computes the hash that it is of. */
static void ecdsa__of_an_unwanted_hash__signs_and_verifies(void)
{
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), alg,
                                         USAGE, p256_private, sizeof p256_private);
    uint8_t signature[64];
    size_t length = 0;

    EXPECT(PSA_SUCCESS, psa_sign_hash(key, alg, p256_hash, sizeof p256_hash, signature,
                                      sizeof signature, &length));
    EXPECT(PSA_SUCCESS, psa_verify_hash(key, alg, p256_hash, sizeof p256_hash, signature, length));
}

static void deterministic_ecdsa__of_an_unwanted_hash__verifies(void)
{
    const psa_algorithm_t alg = PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256);
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), alg,
                                         USAGE, p256_private, sizeof p256_private);

    EXPECT(PSA_SUCCESS, psa_verify_hash(key, alg, p256_hash, sizeof p256_hash, p256_signature,
                                        sizeof p256_signature));
}

static const struct test_case tests[] = {
    TEST(rsa_signature__with_an_unwanted_hash__is_not_supported),
    TEST(rsa_verification__with_an_unwanted_hash__is_not_supported),
    TEST(deterministic_ecdsa__with_an_unwanted_hash__is_not_supported),
    TEST(hash_ml_dsa__with_an_unwanted_hash__is_not_supported),
    TEST(hash_slh_dsa__with_an_unwanted_hash__is_not_supported),
    TEST(ecdsa__of_an_unwanted_hash__signs_and_verifies),
    TEST(deterministic_ecdsa__of_an_unwanted_hash__verifies),
};

static TEST_SUITE(unwanted_hash, tests);
extern const struct test_suite suite_families;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_unwanted_hash, &suite_families};

    return test_initialise_and_run(suites, 2);
}
