/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric signatures of hashes and messages (PSA Crypto 1.5, 10.9). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ED_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define ED_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define SIZE 64u

static psa_key_id_t pair_for(psa_algorithm_t alg)
{
    return test_import(ECC_PAIR, alg, BOTH, p256_private, sizeof p256_private);
}

static psa_key_id_t public_for(psa_algorithm_t alg)
{
    return test_import(ECC_PUBLIC, alg, PSA_KEY_USAGE_VERIFY_HASH, p256_public, sizeof p256_public);
}

static void sign_hash__result__verifies(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    const psa_key_id_t public_key = public_for(ECDSA_256);

    for (unsigned i = 0; i < 8; i++) {
        const uint8_t *hash = test_copy(p256_hash, sizeof p256_hash);
        uint8_t *signature = test_buffer(SIZE);
        size_t n;
        EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, hash, 32, signature, SIZE, &n));
        CHECK(n == SIZE);
        EXPECT(PSA_SUCCESS, psa_verify_hash(pair, ECDSA_256, hash, 32, signature, SIZE));
        EXPECT(PSA_SUCCESS, psa_verify_hash(public_key, ECDSA_256, hash, 32, signature, SIZE));
        EXPECT(PSA_SUCCESS, psa_verify_message(public_key, ECDSA_256, p256_message,
                                               sizeof p256_message, signature, SIZE));
    }
}

static void sign_hash__twice__draws_another_nonce(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    uint8_t a[SIZE];
    uint8_t b[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, p256_hash, 32, a, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, p256_hash, 32, b, SIZE, &n));
    CHECK(memcmp(a, b, 32) != 0);
}

static void sign_message__result__verifies(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    uint8_t *signature = test_buffer(SIZE);
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_message(pair, ECDSA_256, p256_message, sizeof p256_message,
                                         signature, SIZE, &n));
    CHECK(n == SIZE);
    EXPECT(PSA_SUCCESS, psa_verify_hash(pair, ECDSA_256, p256_hash, 32, signature, SIZE));
    EXPECT(PSA_SUCCESS, psa_sign_message(pair, ECDSA_256, NULL, 0, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_verify_message(pair, ECDSA_256, NULL, 0, signature, SIZE));
    EXPECT(PSA_SUCCESS, psa_verify_hash(pair, ECDSA_256, sha256_empty, 32, signature, SIZE));
}

static void sign_hash__short_buffer__leaves_no_hold(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);

    for (size_t size = 0; size < SIZE; size++) {
        uint8_t *signature = test_buffer(size);
        size_t n = 9;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, size, &n));
        CHECK(n == 0);
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_message(pair, ECDSA_256, abc, 3, signature, size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(pair));
}

static void sign_hash__large_buffer__says_what_it_wrote(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    uint8_t *signature = test_buffer(200);
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, 200, &n));
    CHECK(n == SIZE);
    CHECK(test_all(signature + SIZE, 200 - SIZE, 0xa5));
}

/* An algorithm without a hash takes hashes of each length, but not the lack of one. */
static void sign_hash__hash_of_no_length__is_refused(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_ECDSA_ANY);
    uint8_t signature[SIZE] = {0};
    size_t n;

    for (size_t length = 1; length <= 32; length += 31) {
        EXPECT(PSA_SUCCESS,
               psa_sign_hash(pair, PSA_ALG_ECDSA_ANY, p256_hash, length, signature, SIZE, &n));
        EXPECT(PSA_SUCCESS,
               psa_verify_hash(pair, PSA_ALG_ECDSA_ANY, p256_hash, length, signature, SIZE));
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_verify_hash(pair, PSA_ALG_ECDSA_ANY, p256_hash, 0, signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(pair, PSA_ALG_ECDSA_ANY, p256_hash, 0, signature, SIZE, &n));
    CHECK(n == 0 && test_all(signature, SIZE, 0));
}

static void sign_hash__hash_of_another_length__is_refused(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    uint8_t signature[SIZE];
    size_t n;

    for (size_t length = 0; length <= 64; length++) {
        n = 9;
        test_context("bytes", length);
        if (length == 32) {
            continue;
        }
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_sign_hash(pair, ECDSA_256, test_copy(aes_text, length), length, signature, SIZE,
                             &n));
        CHECK(n == 0);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_verify_hash(pair, ECDSA_256, test_copy(aes_text, length), length, p256_signature,
                               SIZE));
    }
}

static void sign_hash__public_or_other_key__is_refused(void)
{
    const psa_key_id_t public_key = test_import(ECC_PUBLIC, ECDSA_256, BOTH, p256_public, 65);
    const psa_key_id_t raw = test_import(PSA_KEY_TYPE_RAW_DATA, ECDSA_256, BOTH, p256_private, 32);
    uint8_t signature[SIZE];
    size_t n = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(public_key, ECDSA_256, p256_hash, 32, signature, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_message(public_key, ECDSA_256, abc, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash(raw, ECDSA_256, p256_hash, 32, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_verify_hash(raw, ECDSA_256, p256_hash, 32, p256_signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_verify_message(raw, ECDSA_256, abc, 3, p256_signature, SIZE));
}

static void sign__algorithm_that_does_not_sign__is_refused(void)
{
    const psa_algorithm_t algs[] = {PSA_ALG_SHA_256, PSA_ALG_ECDH, PSA_ALG_CTR,
                                    PSA_ALG_HMAC(PSA_ALG_SHA_256)};

    for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++) {
        const psa_key_id_t pair = pair_for(algs[i]);
        uint8_t signature[SIZE];
        size_t n = 1;
        test_context("algorithm", i);
        EXPECT_REFUSED(psa_sign_hash(pair, algs[i], p256_hash, 32, signature, SIZE, &n));
        CHECK(n == 0);
        EXPECT_REFUSED(psa_sign_message(pair, algs[i], abc, 3, signature, SIZE, &n));
        EXPECT_REFUSED(psa_verify_hash(pair, algs[i], p256_hash, 32, p256_signature, SIZE));
        EXPECT_REFUSED(psa_verify_message(pair, algs[i], abc, 3, p256_signature, SIZE));
        test_destroy_keys();
    }
}

static void sign__left_out_of_the_build__is_not_supported(void)
{
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_RIPEMD160);
    const psa_key_id_t pair = pair_for(alg);
    uint8_t signature[SIZE];
    size_t n = 1;

    /* The hash is computed elsewhere: only hashing the message is beyond this build. */
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_sign_message(pair, alg, abc, 3, signature, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_verify_message(pair, alg, abc, 3, p256_signature, SIZE));
}

static void verify__forged_signature__is_an_invalid_signature(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    const psa_key_id_t public_key = public_for(ECDSA_256);
    uint8_t hash[32];

    EXPECT(PSA_SUCCESS,
           psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, p256_signature, SIZE));
    for (size_t i = 0; i < SIZE; i += 3) {
        uint8_t *forged = test_copy(p256_signature, SIZE);
        forged[i] ^= 0x10;
        test_context("byte", i);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, forged, SIZE));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_message(pair, ECDSA_256, p256_message, 6, forged, SIZE));
    }
    memcpy(hash, p256_hash, sizeof hash);
    hash[0] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(public_key, ECDSA_256, hash, 32, p256_signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(public_key, ECDSA_256, abc, 3, p256_signature, SIZE));
}

static void verify__signature_of_any_length__is_an_invalid_signature(void)
{
    const psa_key_id_t public_key = public_for(ECDSA_256);
    uint8_t longer[SIZE + 8] = {0};

    memcpy(longer, p256_signature, SIZE);
    for (size_t length = 0; length <= sizeof longer; length++) {
        test_context("bytes", length);
        if (length != SIZE) {
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, test_copy(longer, length),
                                   length));
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_verify_message(public_key, ECDSA_256, p256_message, 6,
                                      test_copy(longer, length), length));
        }
    }
}

static void verify__r_or_s_out_of_range__is_an_invalid_signature(void)
{
    const uint8_t order[32] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
                               0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                               0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    const psa_key_id_t public_key = public_for(ECDSA_256);
    uint8_t signature[SIZE];

    for (unsigned half = 0; half < 2; half++) {
        memcpy(signature, p256_signature, SIZE);
        memset(signature + 32 * half, 0, 32);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, signature, SIZE));
        memcpy(signature + 32 * half, order, 32);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, signature, SIZE));
        memset(signature + 32 * half, 0xff, 32);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, signature, SIZE));
    }
    memset(signature, 0, SIZE);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, signature, SIZE));
}

static void sign_hash__no_entropy__gives_no_signature(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    const psa_key_id_t public_key = public_for(ECDSA_256);
    const enum test_entropy failures[] = {TEST_ENTROPY_ABSENT, TEST_ENTROPY_STUCK};
    size_t n;

    for (size_t i = 0; i < 2; i++) {
        uint8_t *signature = test_buffer(SIZE);
        test_entropy_mode(failures[i]);
        n = 1;
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
               psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, SIZE, &n));
        CHECK(n == 0 && test_all(signature, SIZE, 0));
        memset(signature, 0xa5, SIZE);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
               psa_sign_message(pair, ECDSA_256, abc, 3, signature, SIZE, &n));
        CHECK(n == 0 && test_all(signature, SIZE, 0));
        /* Verification needs none; computing a public key may, for blinding. */
        EXPECT(PSA_SUCCESS,
               psa_verify_hash(public_key, ECDSA_256, p256_hash, 32, p256_signature, SIZE));
    }
    test_entropy_mode(TEST_ENTROPY_GOOD);
    uint8_t *signature = test_buffer(SIZE);
    EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, SIZE, &n));
}

static void sign_hash__output_over_the_hash__gives_a_valid_signature(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);

    for (size_t at = 0; at <= 96; at += 8) {
        uint8_t *buffer = test_buffer(96 + 64);
        size_t n;
        memcpy(buffer + 64, p256_hash, 32);
        test_context("shift", at);
        EXPECT(PSA_SUCCESS, psa_sign_hash(pair, ECDSA_256, buffer + 64, 32, buffer + at, SIZE, &n));
        EXPECT(PSA_SUCCESS, psa_verify_hash(pair, ECDSA_256, p256_hash, 32, buffer + at, SIZE));
    }
}

static void sign_hash__key_destroyed__leaves_no_byte_of_it(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256);
    uint8_t *signature = test_buffer(SIZE);
    size_t n;

    for (unsigned i = 0; i < 3; i++) {
        NEED(psa_sign_hash(pair, ECDSA_256, p256_hash, 32, signature, SIZE, &n));
        NEED(psa_verify_hash(pair, ECDSA_256, p256_hash, 32, signature, SIZE));
        NEED(psa_export_public_key(pair, test_buffer(65), 65, &n));
    }
    NEED(psa_destroy_key(pair));
    CHECK(!test_memory_holds(p256_private, sizeof p256_private));
}

static void ed25519__known_answer__agrees(void)
{
    const psa_key_id_t pair =
        test_import(ED_PAIR, PSA_ALG_PURE_EDDSA,
                    PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE, ed25519_private, 32);
    const psa_key_id_t public_key = test_import(ED_PUBLIC, PSA_ALG_PURE_EDDSA,
                                                PSA_KEY_USAGE_VERIFY_MESSAGE, ed25519_public, 32);
    uint8_t *signature = test_buffer(SIZE);
    uint8_t point[32];
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_sign_message(pair, PSA_ALG_PURE_EDDSA, ed25519_message, 1, signature, SIZE, &n));
    CHECK_BYTES(signature, n, ed25519_signature, SIZE);
    EXPECT(PSA_SUCCESS, psa_export_public_key(pair, point, sizeof point, &n));
    CHECK_BYTES(point, n, ed25519_public, 32);
    EXPECT(PSA_SUCCESS,
           psa_verify_message(pair, PSA_ALG_PURE_EDDSA, ed25519_message, 1, signature, SIZE));
    EXPECT(PSA_SUCCESS,
           psa_verify_message(public_key, PSA_ALG_PURE_EDDSA, ed25519_message, 1, signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(public_key, PSA_ALG_PURE_EDDSA, abc, 1, signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message(public_key, PSA_ALG_PURE_EDDSA, ed25519_message, 1, signature,
                              SIZE - 1));
    for (size_t size = 0; size < SIZE; size++) {
        n = 1;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_message(pair, PSA_ALG_PURE_EDDSA, ed25519_message, 1, test_buffer(size),
                                size, &n));
        CHECK(n == 0);
    }
    n = 1;
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(pair, PSA_ALG_PURE_EDDSA, p256_hash, 32, signature, SIZE, &n));
    CHECK(n == 0);
}

static void ed25519__hash_with_the_flag__is_refused(void)
{
    const psa_key_id_t pair = test_import(ED_PAIR, PSA_ALG_PURE_EDDSA, BOTH, ed25519_private, 32);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT_REFUSED(psa_sign_hash(pair, PSA_ALG_PURE_EDDSA, p256_hash, 32, signature, SIZE, &n));
    EXPECT_REFUSED(
        psa_verify_hash(pair, PSA_ALG_PURE_EDDSA, p256_hash, 32, ed25519_signature, SIZE));
}

static const struct test_case tests[] = {
    TEST(sign_hash__result__verifies),
    TEST(sign_hash__twice__draws_another_nonce),
    TEST(sign_message__result__verifies),
    TEST(sign_hash__short_buffer__leaves_no_hold),
    TEST(sign_hash__large_buffer__says_what_it_wrote),
    TEST(sign_hash__hash_of_no_length__is_refused),
    TEST(sign_hash__hash_of_another_length__is_refused),
    TEST(sign_hash__public_or_other_key__is_refused),
    TEST(sign__algorithm_that_does_not_sign__is_refused),
    TEST(sign__left_out_of_the_build__is_not_supported),
    TEST(verify__forged_signature__is_an_invalid_signature),
    TEST(verify__signature_of_any_length__is_an_invalid_signature),
    TEST(verify__r_or_s_out_of_range__is_an_invalid_signature),
    TEST(sign_hash__no_entropy__gives_no_signature),
    TEST(sign_hash__output_over_the_hash__gives_a_valid_signature),
    TEST(sign_hash__key_destroyed__leaves_no_byte_of_it),
    TEST(ed25519__known_answer__agrees),
    TEST(ed25519__hash_with_the_flag__is_refused),
};

TEST_SUITE(sign, tests);
