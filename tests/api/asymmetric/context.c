/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures with a context (PSA Crypto 1.5, 10.9.7 and 10.9.8). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../harness/scan.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define BOTH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define SIZE 64u

/* RFC 8032, 7.2: a key, a message, and its Ed25519ctx signatures for the contexts foo and bar. */
static const uint8_t private_key[32] = {
    0x03, 0x05, 0x33, 0x4e, 0x38, 0x1a, 0xf7, 0x8f, 0x14, 0x1c, 0xb6, 0x66, 0xf6, 0x19, 0x9f, 0x57,
    0xbc, 0x34, 0x95, 0x33, 0x5a, 0x25, 0x6a, 0x95, 0xbd, 0x2a, 0x55, 0xbf, 0x54, 0x66, 0x63, 0xf6,
};
static const uint8_t public_key[32] = {
    0xdf, 0xc9, 0x42, 0x5e, 0x4f, 0x96, 0x8f, 0x7f, 0x0c, 0x29, 0xf0, 0x25, 0x9c, 0xf5, 0xf9, 0xae,
    0xd6, 0x85, 0x1c, 0x2b, 0xb4, 0xad, 0x8b, 0xfb, 0x86, 0x0c, 0xfe, 0xe0, 0xab, 0x24, 0x82, 0x92,
};
static const uint8_t message[16] = {
    0xf7, 0x26, 0x93, 0x6d, 0x19, 0xc8, 0x00, 0x49, 0x4e, 0x3f, 0xda, 0xff, 0x20, 0xb2, 0x76, 0xa8,
};
static const uint8_t foo[3] = {'f', 'o', 'o'};
static const uint8_t bar[3] = {'b', 'a', 'r'};
static const uint8_t foo_signature[SIZE] = {
    0x55, 0xa4, 0xcc, 0x2f, 0x70, 0xa5, 0x4e, 0x04, 0x28, 0x8c, 0x5f, 0x4c, 0xd1, 0xe4, 0x5a, 0x7b,
    0xb5, 0x20, 0xb3, 0x62, 0x92, 0x91, 0x18, 0x76, 0xca, 0xda, 0x73, 0x23, 0x19, 0x8d, 0xd8, 0x7a,
    0x8b, 0x36, 0x95, 0x0b, 0x95, 0x13, 0x00, 0x22, 0x90, 0x7a, 0x7f, 0xb7, 0xc4, 0xe9, 0xb2, 0xd5,
    0xf6, 0xcc, 0xa6, 0x85, 0xa5, 0x87, 0xb4, 0xb2, 0x1f, 0x4b, 0x88, 0x8e, 0x4e, 0x7e, 0xdb, 0x0d,
};
static const uint8_t bar_signature[SIZE] = {
    0xfc, 0x60, 0xd5, 0x87, 0x2f, 0xc4, 0x6b, 0x3a, 0xa6, 0x9f, 0x8b, 0x5b, 0x43, 0x51, 0xd5, 0x80,
    0x8f, 0x92, 0xbc, 0xc0, 0x44, 0x60, 0x6d, 0xb0, 0x97, 0xab, 0xab, 0x6d, 0xbc, 0xb1, 0xae, 0xe3,
    0x21, 0x6c, 0x48, 0xe8, 0xb3, 0xb6, 0x64, 0x31, 0xb5, 0xb1, 0x86, 0xd1, 0xd2, 0x8f, 0x8e, 0xe1,
    0x5a, 0x5c, 0xa2, 0xdf, 0x66, 0x68, 0x34, 0x62, 0x91, 0xc2, 0x04, 0x3d, 0x4e, 0xb3, 0xe9, 0x0d,
};

static psa_key_id_t pair_for(psa_algorithm_t alg)
{
    return test_import(PAIR, alg, BOTH, private_key, sizeof private_key);
}

static psa_key_id_t public_for(psa_algorithm_t alg)
{
    return test_import(PUBLIC, alg, PSA_KEY_USAGE_VERIFY_HASH, public_key, sizeof public_key);
}

static void check_published(const uint8_t *context, const uint8_t *wanted)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_EDDSA_CTX);
    const psa_key_id_t key = public_for(PSA_ALG_EDDSA_CTX);
    uint8_t *signature = test_buffer(SIZE);
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, message, sizeof message, context,
                                         3, signature, SIZE, &n));
    CHECK_BYTES(signature, n, wanted, SIZE);
    EXPECT(PSA_SUCCESS, psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, message,
                                                        sizeof message, context, 3, wanted, SIZE));
    EXPECT(PSA_SUCCESS, psa_verify_message_with_context(pair, PSA_ALG_EDDSA_CTX, message,
                                                        sizeof message, context, 3, wanted, SIZE));
}

static void sign_context__ed25519ctx__agrees_with_the_rfc(void)
{
    check_published(foo, foo_signature);
    check_published(bar, bar_signature);
}

static void sign_context__another_context__is_an_invalid_signature(void)
{
    const psa_key_id_t key = public_for(PSA_ALG_EDDSA_CTX);

    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, message, sizeof message, bar, 3,
                                           foo_signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, message, sizeof message, foo, 2,
                                           foo_signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_verify_message(key, PSA_ALG_EDDSA_CTX, message,
                                                           sizeof message, foo_signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, message, sizeof message - 1, foo,
                                           3, foo_signature, SIZE));
    for (size_t length = 0; length < SIZE; length += 9) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, message, sizeof message, foo,
                                               3, foo_signature, length));
    }
}

static void sign_context__empty__is_the_same_as_none_but_not_as_pure(void)
{
    const psa_key_id_t ctx = pair_for(PSA_ALG_EDDSA_CTX);
    const psa_key_id_t pure = pair_for(PSA_ALG_PURE_EDDSA);
    uint8_t a[SIZE];
    uint8_t b[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_sign_message(ctx, PSA_ALG_EDDSA_CTX, message, sizeof message, a, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_message_with_context(ctx, PSA_ALG_EDDSA_CTX, message,
                                                      sizeof message, NULL, 0, b, SIZE, &n));
    CHECK_BYTES(a, SIZE, b, SIZE);
    EXPECT(PSA_SUCCESS, psa_sign_message_with_context(pure, PSA_ALG_PURE_EDDSA, message,
                                                      sizeof message, NULL, 0, b, SIZE, &n));
    CHECK(memcmp(a, b, SIZE) != 0);
    EXPECT(PSA_SUCCESS, psa_verify_message_with_context(pure, PSA_ALG_PURE_EDDSA, message,
                                                        sizeof message, NULL, 0, b, SIZE));
    EXPECT(PSA_SUCCESS,
           psa_verify_message(ctx, PSA_ALG_EDDSA_CTX, message, sizeof message, a, SIZE));
}

static void sign_context__algorithm_without__refuses_all_but_the_empty(void)
{
    const psa_algorithm_t ecdsa = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), ecdsa,
                                         BOTH, p256_private, sizeof p256_private);
    const psa_key_id_t pure = pair_for(PSA_ALG_PURE_EDDSA);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS,
           psa_sign_hash_with_context(key, ecdsa, p256_hash, 32, NULL, 0, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS,
           psa_verify_hash_with_context(key, ecdsa, p256_hash, 32, NULL, 0, signature, SIZE));
    n = 9;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash_with_context(key, ecdsa, p256_hash, 32, foo, 3, signature, SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_verify_hash_with_context(key, ecdsa, p256_hash, 32, foo, 3, signature, SIZE));
    n = 9;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_message_with_context(pure, PSA_ALG_PURE_EDDSA, abc, 3, foo, 3, signature, SIZE,
                                         &n));
    CHECK(n == 0);
    EXPECT(
        PSA_ERROR_INVALID_ARGUMENT,
        psa_verify_message_with_context(pure, PSA_ALG_PURE_EDDSA, abc, 3, foo, 3, signature, SIZE));
}

static void sign_context__prehashed__signs_hash_and_message_alike(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_ED25519PH);
    const psa_key_id_t key = public_for(PSA_ALG_ED25519PH);
    uint8_t hash[64];
    uint8_t a[SIZE];
    uint8_t b[SIZE];
    size_t n;

    NEED(psa_hash_compute(PSA_ALG_SHA_512, message, sizeof message, hash, sizeof hash, &n));
    EXPECT(PSA_SUCCESS,
           psa_sign_hash_with_context(pair, PSA_ALG_ED25519PH, hash, 64, foo, 3, a, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_sign_message_with_context(pair, PSA_ALG_ED25519PH, message,
                                                      sizeof message, foo, 3, b, SIZE, &n));
    CHECK_BYTES(a, SIZE, b, SIZE);
    EXPECT(PSA_SUCCESS,
           psa_verify_hash_with_context(key, PSA_ALG_ED25519PH, hash, 64, foo, 3, a, SIZE));
    EXPECT(PSA_SUCCESS, psa_verify_message_with_context(key, PSA_ALG_ED25519PH, message,
                                                        sizeof message, foo, 3, a, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_verify_hash_with_context(key, PSA_ALG_ED25519PH, hash, 64, bar, 3, a, SIZE));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_verify_hash(key, PSA_ALG_ED25519PH, hash, 64, a, SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_hash_with_context(pair, PSA_ALG_ED25519PH, hash, 63, foo, 3, a, SIZE, &n));
    EXPECT(PSA_SUCCESS,
           psa_sign_message(pair, PSA_ALG_ED25519PH, message, sizeof message, a, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_verify_hash(key, PSA_ALG_ED25519PH, hash, 64, a, SIZE));
    EXPECT(PSA_SUCCESS,
           psa_verify_message(key, PSA_ALG_ED25519PH, message, sizeof message, a, SIZE));
}

static void sign_context__longest__is_signed_and_a_longer_one_refused(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_EDDSA_CTX);
    uint8_t context[256];
    uint8_t signature[SIZE];
    size_t n;

    test_fill(context, sizeof context, 1);
    for (size_t length = 1; length <= 255; length += 127) {
        const uint8_t *exact = test_copy(context, length);
        EXPECT(PSA_SUCCESS, psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, abc, 3, exact,
                                                          length, signature, SIZE, &n));
        EXPECT(PSA_SUCCESS, psa_verify_message_with_context(pair, PSA_ALG_EDDSA_CTX, abc, 3, exact,
                                                            length, signature, SIZE));
    }
    n = 9;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, abc, 3, context, 256, signature,
                                         SIZE, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_verify_message_with_context(pair, PSA_ALG_EDDSA_CTX, abc, 3, context, 256, signature,
                                           SIZE));
}

static void sign_context__buffers__may_be_short_and_overlap(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_EDDSA_CTX);
    const psa_key_id_t hashed = pair_for(PSA_ALG_ED25519PH);
    const uint8_t hash[64] = {1};
    uint8_t both[SIZE + 32];
    size_t n;

    for (size_t size = 0; size < SIZE; size += 7) {
        n = 9;
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, message, sizeof message, foo,
                                             3, test_buffer(size), size, &n));
        CHECK(n == 0);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_sign_hash_with_context(hashed, PSA_ALG_ED25519PH, hash, sizeof hash, foo, 3,
                                          test_buffer(size), size, &n));
        CHECK(n == 0);
    }
    for (size_t shift = 0; shift < 48; shift += 16) {
        memcpy(both + shift, message, sizeof message);
        memcpy(both + shift + 16, foo, 3);
        EXPECT(PSA_SUCCESS,
               psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, both + shift, sizeof message,
                                             both + shift + 16, 3, both, SIZE, &n));
        CHECK_BYTES(both, n, foo_signature, SIZE);
    }
}

static void sign_context__key_or_policy_that_does_not_fit__is_refused(void)
{
    const psa_key_id_t key = public_for(PSA_ALG_EDDSA_CTX);
    const psa_key_id_t other = pair_for(PSA_ALG_ED25519PH);
    const psa_key_id_t raw = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_EDDSA_CTX, BOTH, abc, 3);
    const uint8_t hash[64] = {1};
    uint8_t signature[SIZE] = {0};
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash_with_context(key, PSA_ALG_ED25519PH, hash, sizeof hash, foo, 3, signature,
                                      SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_verify_hash_with_context(key, PSA_ALG_ED25519PH, hash, sizeof hash, foo, 3,
                                        signature, SIZE));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_verify_message_with_context(other, PSA_ALG_EDDSA_CTX, abc,
                                                                    3, foo, 3, signature, SIZE));

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_message_with_context(key, PSA_ALG_EDDSA_CTX, abc, 3,
                                                                  foo, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_message_with_context(other, PSA_ALG_EDDSA_CTX, abc, 3,
                                                                  foo, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_sign_message_with_context(raw, PSA_ALG_EDDSA_CTX, abc, 3,
                                                                     foo, 3, signature, SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_verify_message_with_context(raw, PSA_ALG_EDDSA_CTX, abc,
                                                                       3, foo, 3, signature, SIZE));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_sign_message_with_context(0x40000000, PSA_ALG_EDDSA_CTX, abc, 3, foo, 3, signature,
                                         SIZE, &n));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_verify_hash_with_context(0x40000000, PSA_ALG_ED25519PH, signature, 64, foo, 3,
                                        signature, SIZE));
}

static void sign_context__key_destroyed__leaves_no_byte_of_it(void)
{
    const psa_key_id_t pair = pair_for(PSA_ALG_EDDSA_CTX);
    const uint8_t *secret = test_copy(private_key, sizeof private_key);
    uint8_t signature[SIZE];
    size_t n;

    NEED(psa_sign_message_with_context(pair, PSA_ALG_EDDSA_CTX, abc, 3, foo, 3, signature, SIZE,
                                       &n));
    CHECK(test_memory_holds(secret, sizeof private_key) == TEST_KEYS_ARE_HERE);
    NEED(psa_destroy_key(pair));
    CHECK(!test_memory_holds(secret, sizeof private_key));
}

/* Where the library reads a signature for the second time, the caller's has become another. */
static uint8_t *victim;

int __real_crypto_eddsa_check_equation(const uint8_t *signature, const uint8_t *key,
                                       const uint8_t *challenge);
int __wrap_crypto_eddsa_check_equation(const uint8_t *signature, const uint8_t *key,
                                       const uint8_t *challenge);

int __wrap_crypto_eddsa_check_equation(const uint8_t *signature, const uint8_t *key,
                                       const uint8_t *challenge)
{
    if (victim != NULL) {
        memset(victim, 1, SIZE);
    }
    return __real_crypto_eddsa_check_equation(signature, key, challenge);
}

static void sign_context__signature_that_changes__is_judged_as_it_was_first_read(void)
{
    const psa_algorithm_t algorithms[] = {PSA_ALG_PURE_EDDSA, PSA_ALG_EDDSA_CTX, PSA_ALG_ED25519PH};

    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        const psa_key_id_t pair = pair_for(algorithms[i]);
        const uint8_t *const context = algorithms[i] == PSA_ALG_PURE_EDDSA ? NULL : foo;
        const size_t length = context == NULL ? 0 : sizeof foo;
        uint8_t signature[SIZE];
        size_t n;
        NEED(psa_sign_message_with_context(pair, algorithms[i], message, sizeof message, context,
                                           length, signature, SIZE, &n));
        victim = signature;
        const psa_status_t status = psa_verify_message_with_context(
            pair, algorithms[i], message, sizeof message, context, length, signature, SIZE);
        victim = NULL;
        EXPECT(PSA_SUCCESS, status);
        CHECK(signature[0] == 1 && signature[SIZE - 1] == 1);
    }
}

static const struct test_case tests[] = {
    TEST(sign_context__ed25519ctx__agrees_with_the_rfc),
    TEST(sign_context__another_context__is_an_invalid_signature),
    TEST(sign_context__empty__is_the_same_as_none_but_not_as_pure),
    TEST(sign_context__algorithm_without__refuses_all_but_the_empty),
    TEST(sign_context__prehashed__signs_hash_and_message_alike),
    TEST(sign_context__longest__is_signed_and_a_longer_one_refused),
    TEST(sign_context__buffers__may_be_short_and_overlap),
    TEST(sign_context__key_or_policy_that_does_not_fit__is_refused),
    TEST(sign_context__key_destroyed__leaves_no_byte_of_it),
    TEST(sign_context__signature_that_changes__is_judged_as_it_was_first_read),
};

TEST_SUITE(sign_context, tests);
