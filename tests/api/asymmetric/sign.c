/* SPDX-License-Identifier: Apache-2.0 */
/* RSA signatures (PSA Crypto 1.5, 10.9.2). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"

#define PAIR PSA_KEY_TYPE_RSA_KEY_PAIR
#define PUBLIC PSA_KEY_TYPE_RSA_PUBLIC_KEY
#define PKCS1 PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#define RAW PSA_ALG_RSA_PKCS1V15_SIGN_RAW
#define PSS PSA_ALG_RSA_PSS(PSA_ALG_SHA_256)
#define ANY_SALT PSA_ALG_RSA_PSS_ANY_SALT(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define SIZE 128u

static const psa_algorithm_t algs[] = {PKCS1, PSS, ANY_SALT};
#define ALG_COUNT (sizeof algs / sizeof algs[0])

static psa_key_id_t pair_for(psa_algorithm_t alg)
{
    return test_import(PAIR, alg, BOTH, rsa1024_pair, sizeof rsa1024_pair);
}

static psa_key_id_t public_for(psa_algorithm_t alg)
{
    return test_import(PUBLIC, alg, PSA_KEY_USAGE_VERIFY_HASH, rsa1024_public, 140);
}

static void rsa_sign__result__verifies(void)
{
    for (size_t i = 0; i < ALG_COUNT; i++) {
        const psa_key_id_t pair = pair_for(algs[i]);
        const psa_key_id_t public_key = public_for(algs[i]);
        uint8_t *signature = test_buffer(SIZE);
        size_t n;
        test_context("algorithm", i);
        EXPECT(PSA_SUCCESS, psa_sign_hash(pair, algs[i], sha256_abc, 32, signature, SIZE, &n));
        CHECK(n == SIZE);
        EXPECT(PSA_SUCCESS, psa_verify_hash(public_key, algs[i], sha256_abc, 32, signature, n));
        EXPECT(PSA_SUCCESS, psa_verify_message(pair, algs[i], abc, 3, signature, n));
        EXPECT(PSA_SUCCESS, psa_sign_message(pair, algs[i], abc, 3, signature, SIZE, &n));
        EXPECT(PSA_SUCCESS, psa_verify_hash(public_key, algs[i], sha256_abc, 32, signature, n));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(pair, algs[i], sha256_empty, 32, signature, n));
    }
}

static void rsa_sign__pkcs1__agrees_with_another_library(void)
{
    const psa_key_id_t pair = pair_for(PKCS1);
    const psa_key_id_t raw = pair_for(RAW);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, PKCS1, sha256_abc, 32, signature, SIZE, &n));
    CHECK_BYTES(signature, n, rsa1024_signature, SIZE);
    EXPECT(PSA_SUCCESS, psa_sign_hash(raw, RAW, abc, 3, signature, SIZE, &n));
    CHECK_BYTES(signature, n, rsa1024_raw, SIZE);
    EXPECT(PSA_SUCCESS, psa_verify_hash(raw, RAW, abc, 3, signature, n));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_verify_hash(raw, RAW, abc, 2, signature, n));
    EXPECT_REFUSED(psa_sign_message(raw, RAW, abc, 3, signature, SIZE, &n));
}

static void rsa_sign__pss_salt_of_another_length__counts_for_any_salt_alone(void)
{
    const psa_key_id_t standard =
        test_import(PUBLIC, PSS, PSA_KEY_USAGE_VERIFY_HASH, rsa2048_public, 270);
    const psa_key_id_t any =
        test_import(PUBLIC, ANY_SALT, PSA_KEY_USAGE_VERIFY_HASH, rsa2048_public, 270);

    EXPECT(PSA_SUCCESS, psa_verify_hash(any, ANY_SALT, sha256_abc, 32, rsa2048_pss_salt20, 256));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(standard, PSS, sha256_abc, 32, rsa2048_pss_salt20, 256));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_verify_hash(standard, ANY_SALT, sha256_abc, 32, rsa2048_pss_salt20, 256));
}

static void rsa_sign__pss_hash_of_half_the_key__has_a_shorter_salt(void)
{
    const psa_algorithm_t alg = PSA_ALG_RSA_PSS(PSA_ALG_SHA_512);
    const psa_key_id_t pair = pair_for(alg);
    uint8_t signature[SIZE];
    uint8_t hash[64];
    size_t n;

    test_fill(hash, sizeof hash, 3);
    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, alg, hash, sizeof hash, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_verify_hash(pair, alg, hash, sizeof hash, signature, n));
}

static void rsa_sign__twice__pss_draws_another_salt(void)
{
    const psa_key_id_t pair = pair_for(PSS);
    uint8_t a[SIZE];
    uint8_t b[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, PSS, sha256_abc, 32, a, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, PSS, sha256_abc, 32, b, SIZE, &n));
    CHECK(memcmp(a, b, SIZE) != 0);
}

static void rsa_sign__raw_of_any_length__is_padded(void)
{
    const psa_key_id_t pair = pair_for(RAW);
    uint8_t data[SIZE];
    uint8_t signature[SIZE];
    size_t n = 9;

    test_fill(data, sizeof data, 5);
    for (size_t length = 1; length <= SIZE - 11; length += 29) {
        EXPECT(PSA_SUCCESS, psa_sign_hash(pair, RAW, data, length, signature, SIZE, &n));
        EXPECT(PSA_SUCCESS, psa_verify_hash(pair, RAW, data, length, signature, n));
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(pair, RAW, data, SIZE - 10, signature, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_sign_hash(pair, RAW, data, 0, signature, SIZE, &n));
}

static void rsa_sign__short_buffer__leaves_no_hold(void)
{
    const psa_key_id_t pair = pair_for(PKCS1);

    for (size_t size = 0; size < SIZE; size++) {
        size_t n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_hash(pair, PKCS1, sha256_abc, 32, test_buffer(size), size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(pair));
}

static void rsa_sign__output_over_the_input__verifies(void)
{
    for (size_t i = 0; i < ALG_COUNT; i++) {
        const psa_key_id_t pair = pair_for(algs[i]);
        for (size_t shift = 0; shift <= SIZE - 32; shift += 24) {
            uint8_t *both = test_buffer(SIZE);
            size_t n;
            memcpy(both + shift, sha256_abc, 32);
            EXPECT(PSA_SUCCESS, psa_sign_hash(pair, algs[i], both + shift, 32, both, SIZE, &n));
            EXPECT(PSA_SUCCESS, psa_verify_hash(pair, algs[i], sha256_abc, 32, both, n));
        }
    }
}

static void rsa_verify__forged__is_an_invalid_signature(void)
{
    const psa_key_id_t key = public_for(PKCS1);
    uint8_t signature[SIZE + 1];

    memcpy(signature, rsa1024_signature, SIZE);
    for (size_t at = 0; at < SIZE; at += 9) {
        signature[at] ^= 0x80;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(key, PKCS1, sha256_abc, 32, signature, SIZE));
        signature[at] ^= 0x80;
    }
    for (size_t length = 0; length <= SIZE + 1; length++) {
        if (length != SIZE) {
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_verify_hash(key, PKCS1, sha256_abc, 32, signature, length));
        }
    }
    memset(signature, 0xff, sizeof signature);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(key, PKCS1, sha256_abc, 32, signature, SIZE));
    memset(signature, 0, sizeof signature);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(key, PKCS1, sha256_abc, 32, signature, SIZE));
}

static void rsa_policy__any_hash__covers_each_hash_and_raw(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH));
    const psa_key_id_t pss = pair_for(PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH));
    const psa_key_id_t ecdsa = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1),
                                           PSA_ALG_ECDSA(PSA_ALG_ANY_HASH), BOTH, p256_private, 32);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, PKCS1, sha256_abc, 32, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, RAW, abc, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_hash(pair, PSS, sha256_abc, 32, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_hash(pss, PSS, sha256_abc, 32, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(pss, ANY_SALT, sha256_abc, 32, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_hash(pss, RAW, abc, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(ecdsa, PSA_ALG_ECDSA_ANY, abc, 3, signature, SIZE, &n));
    EXPECT_REFUSED(psa_sign_hash(pair, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH), sha256_abc, 32,
                                 signature, SIZE, &n));
}

static void rsa_sign__key_that_does_not_fit__is_refused(void)
{
    const psa_key_id_t public_key = test_import(PUBLIC, PKCS1, BOTH, rsa1024_public, 140);
    const psa_key_id_t ecc = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), PKCS1,
                                         BOTH, p256_private, 32);
    const psa_key_id_t rsa = pair_for(PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    const psa_key_id_t sha384 = pair_for(PSA_ALG_RSA_PSS(PSA_ALG_SHA3_256));
    uint8_t signature[SIZE];
    size_t n = 9;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(public_key, PKCS1, sha256_abc, 32, signature, SIZE, &n));
    CHECK(n == 0);
    EXPECT_REFUSED(psa_sign_hash(ecc, PKCS1, sha256_abc, 32, signature, SIZE, &n));
    EXPECT_REFUSED(
        psa_sign_hash(rsa, PSA_ALG_ECDSA(PSA_ALG_SHA_256), sha256_abc, 32, signature, SIZE, &n));
    EXPECT_REFUSED(psa_sign_hash(sha384, PSA_ALG_RSA_PSS(PSA_ALG_SHA3_256), sha256_abc, 32,
                                 signature, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(public_key, PKCS1, sha256_abc, 31, signature, SIZE, &n));
}

static void rsa_sign__no_entropy__gives_no_signature(void)
{
    const psa_key_id_t pair = pair_for(PSS);
    uint8_t signature[SIZE];
    size_t n = 9;

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
           psa_sign_hash(pair, PSS, sha256_abc, 32, signature, SIZE, &n));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(n == 0 && test_all(signature, SIZE, 0));
}

static const struct test_case tests[] = {
    TEST(rsa_sign__result__verifies),
    TEST(rsa_sign__pkcs1__agrees_with_another_library),
    TEST(rsa_sign__pss_salt_of_another_length__counts_for_any_salt_alone),
    TEST(rsa_sign__pss_hash_of_half_the_key__has_a_shorter_salt),
    TEST(rsa_sign__twice__pss_draws_another_salt),
    TEST(rsa_sign__raw_of_any_length__is_padded),
    TEST(rsa_sign__short_buffer__leaves_no_hold),
    TEST(rsa_sign__output_over_the_input__verifies),
    TEST(rsa_verify__forged__is_an_invalid_signature),
    TEST(rsa_policy__any_hash__covers_each_hash_and_raw),
    TEST(rsa_sign__key_that_does_not_fit__is_refused),
    TEST(rsa_sign__no_entropy__gives_no_signature),
};

TEST_SUITE(rsa_sign, tests);
