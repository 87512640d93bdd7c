/* SPDX-License-Identifier: Apache-2.0 */
/* The permissions of a key's policy, and the answers of psa_check_key_usage() (PSA Crypto 1.5,
 * 9.8). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define HMAC_256 PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define ECDSA_ANY_HASH PSA_ALG_ECDSA(PSA_ALG_ANY_HASH)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define DETERMINISTIC_256 PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#define SIGN_VERIFY_HASH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define SIGN_VERIFY_MESSAGE (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)

static psa_key_id_t pair_for(psa_algorithm_t alg, psa_key_usage_t usage)
{
    return test_import(ECC_PAIR, alg, usage, p256_private, sizeof p256_private);
}

static psa_key_id_t aes_for(psa_algorithm_t alg, psa_key_usage_t usage)
{
    return test_import(PSA_KEY_TYPE_AES, alg, usage, aes_key, sizeof aes_key);
}

static psa_key_id_t hmac_for(psa_algorithm_t alg, psa_key_usage_t usage)
{
    return test_import(PSA_KEY_TYPE_HMAC, alg, usage, hmac_key, sizeof hmac_key);
}

static void cipher__without_the_flag__is_not_permitted(void)
{
    const psa_key_id_t encrypts = aes_for(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    const psa_key_id_t decrypts = aes_for(PSA_ALG_CTR, PSA_KEY_USAGE_DECRYPT);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t out[64];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_cipher_decrypt(encrypts, PSA_ALG_CTR, aes_text, 32, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_cipher_encrypt(decrypts, PSA_ALG_CTR, aes_text, 32, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_cipher_decrypt_setup(&operation, encrypts, PSA_ALG_CTR));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_cipher_encrypt_setup(&operation, decrypts, PSA_ALG_CTR));
}

static void cipher__another_algorithm__is_not_permitted(void)
{
    const psa_key_id_t key =
        aes_for(PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    const psa_algorithm_t others[] = {PSA_ALG_CTR,  PSA_ALG_CBC_PKCS7, PSA_ALG_ECB_NO_PADDING,
                                      PSA_ALG_NONE, PSA_ALG_CMAC,      HMAC_256,
                                      PSA_ALG_GCM};
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t out[64];
    size_t n;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const psa_status_t status =
            psa_cipher_encrypt(key, others[i], aes_text, 32, out, sizeof out, &n);
        test_context("algorithm", i);
        /* Not a cipher at all may be refused as an argument instead. */
        CHECK(status == PSA_ERROR_NOT_PERMITTED ||
              (!PSA_ALG_IS_CIPHER(others[i]) && status == PSA_ERROR_INVALID_ARGUMENT));
        CHECK(psa_cipher_encrypt_setup(&operation, key, others[i]) == status);
    }
}

static void mac__without_the_flag__is_not_permitted(void)
{
    const psa_key_id_t signs = hmac_for(HMAC_256, PSA_KEY_USAGE_SIGN_MESSAGE);
    const psa_key_id_t verifies = hmac_for(HMAC_256, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t out[32];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(verifies, HMAC_256, abc, 3, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_verify(signs, HMAC_256, hmac_message, 28, hmac_tag, 32));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_mac_sign_setup(&operation, verifies, HMAC_256));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_mac_verify_setup(&operation, signs, HMAC_256));
}

static void mac__truncated__needs_its_own_policy(void)
{
    const psa_key_id_t full = hmac_for(HMAC_256, SIGN_VERIFY_MESSAGE);
    const psa_key_id_t cut = hmac_for(PSA_ALG_TRUNCATED_MAC(HMAC_256, 16), SIGN_VERIFY_MESSAGE);
    uint8_t out[32];
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(full, PSA_ALG_TRUNCATED_MAC(HMAC_256, 16), abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_mac_compute(cut, HMAC_256, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(cut, PSA_ALG_TRUNCATED_MAC(HMAC_256, 8), abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(cut, PSA_ALG_TRUNCATED_MAC(HMAC_256, 20), abc, 3, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_mac_compute(cut, PSA_ALG_TRUNCATED_MAC(HMAC_256, 16), hmac_message, 28,
                                        out, sizeof out, &n));
    CHECK_BYTES(out, n, hmac_tag, 16);
}

static void mac__at_least_policy__permits_that_length_and_more(void)
{
    const psa_algorithm_t policy = PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 16);
    const psa_key_id_t key = hmac_for(policy, SIGN_VERIFY_MESSAGE);
    uint8_t out[32];
    size_t n;

    for (unsigned length = 1; length <= 32; length++) {
        const psa_algorithm_t alg = PSA_ALG_TRUNCATED_MAC(HMAC_256, length);
        test_context("length", length);
        EXPECT(length >= 16 ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED,
               psa_mac_compute(key, alg, hmac_message, 28, out, sizeof out, &n));
        if (length >= 16) {
            CHECK_BYTES(out, n, hmac_tag, length);
            EXPECT(PSA_SUCCESS, psa_mac_verify(key, alg, hmac_message, 28, hmac_tag, length));
        }
    }
    test_context("full", 0);
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, HMAC_256, hmac_message, 28, out, sizeof out, &n));
    CHECK_BYTES(out, n, hmac_tag, 32);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_512), abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_mac_compute(key, PSA_ALG_CMAC, abc, 3, out, sizeof out, &n));
}

static void wildcard__in_an_operation__is_never_valid(void)
{
    const psa_algorithm_t at_least = PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 16);
    const psa_key_id_t mac = hmac_for(at_least, SIGN_VERIFY_MESSAGE);
    const psa_key_id_t pair = pair_for(ECDSA_ANY_HASH, SIGN_VERIFY_HASH);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t out[64];
    size_t n;

    EXPECT_REFUSED(psa_mac_compute(mac, at_least, abc, 3, out, sizeof out, &n));
    EXPECT_REFUSED(psa_mac_sign_setup(&operation, mac, at_least));
    EXPECT_REFUSED(psa_mac_verify(mac, at_least, abc, 3, hmac_tag, 32));
    EXPECT_REFUSED(psa_sign_hash(pair, ECDSA_ANY_HASH, p256_hash, 32, out, sizeof out, &n));
    EXPECT_REFUSED(psa_sign_message(pair, ECDSA_ANY_HASH, abc, 3, out, sizeof out, &n));
    EXPECT_REFUSED(psa_verify_hash(pair, ECDSA_ANY_HASH, p256_hash, 32, p256_signature, 64));
    EXPECT_REFUSED(psa_verify_message(pair, ECDSA_ANY_HASH, abc, 3, p256_signature, 64));
    EXPECT_REFUSED(psa_hash_compute(PSA_ALG_ANY_HASH, abc, 3, out, sizeof out, &n));
}

static void signature__without_the_flag__is_not_permitted(void)
{
    const psa_key_id_t signs = pair_for(ECDSA_256, PSA_KEY_USAGE_SIGN_MESSAGE);
    const psa_key_id_t verifies = pair_for(ECDSA_256, PSA_KEY_USAGE_VERIFY_MESSAGE);
    uint8_t out[64];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(signs, ECDSA_256, p256_hash, 32, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_message(verifies, ECDSA_256, abc, 3, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_verify_hash(verifies, ECDSA_256, p256_hash, 32, p256_signature, 64));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_verify_message(signs, ECDSA_256, p256_message, 6, p256_signature, 64));
    EXPECT(PSA_SUCCESS, psa_sign_message(signs, ECDSA_256, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS,
           psa_verify_message(verifies, ECDSA_256, p256_message, 6, p256_signature, 64));
}

static void signature__hash_flag__permits_messages_too(void)
{
    const psa_key_id_t key = pair_for(ECDSA_256, SIGN_VERIFY_HASH);
    uint8_t out[64];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_message(key, ECDSA_256, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_verify_message(key, ECDSA_256, abc, 3, out, n));
}

static void signature__any_hash__permits_every_hash_but_not_none(void)
{
    const psa_key_id_t key = pair_for(ECDSA_ANY_HASH, SIGN_VERIFY_HASH);
    uint8_t out[64];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_hash(key, ECDSA_256, p256_hash, 32, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_verify_hash(key, ECDSA_256, p256_hash, 32, out, n));
    EXPECT(PSA_SUCCESS,
           psa_sign_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_512), aes_text, 64, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(key, PSA_ALG_ECDSA_ANY, p256_hash, 32, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(key, DETERMINISTIC_256, p256_hash, 32, out, sizeof out, &n));
}

static void signature__one_hash__does_not_permit_another(void)
{
    const psa_key_id_t key = pair_for(ECDSA_256, SIGN_VERIFY_HASH);
    uint8_t out[64];
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_512), aes_text, 64, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(key, PSA_ALG_ECDSA_ANY, p256_hash, 32, out, sizeof out, &n));
}

static void verification__deterministic_and_random_ecdsa__are_the_same(void)
{
    const psa_algorithm_t policies[] = {ECDSA_256, DETERMINISTIC_256, ECDSA_ANY_HASH,
                                        PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_ANY_HASH)};

    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        const psa_key_id_t key = test_import(ECC_PUBLIC, policies[i], PSA_KEY_USAGE_VERIFY_HASH,
                                             p256_public, sizeof p256_public);
        test_context("policy", i);
        EXPECT(PSA_SUCCESS, psa_verify_hash(key, ECDSA_256, p256_hash, 32, p256_signature, 64));
        EXPECT(PSA_SUCCESS,
               psa_verify_hash(key, DETERMINISTIC_256, p256_hash, 32, p256_signature, 64));
        EXPECT(PSA_SUCCESS,
               psa_verify_message(key, DETERMINISTIC_256, p256_message, 6, p256_signature, 64));
        test_destroy_keys();
    }
}

static void signing__deterministic_and_random_ecdsa__are_not_the_same(void)
{
    const psa_key_id_t random = pair_for(ECDSA_256, SIGN_VERIFY_HASH);
    const psa_key_id_t deterministic = pair_for(DETERMINISTIC_256, SIGN_VERIFY_HASH);
    uint8_t out[64];
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_hash(random, DETERMINISTIC_256, p256_hash, 32, out, sizeof out, &n));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_sign_message(deterministic, ECDSA_256, abc, 3, out, sizeof out, &n));
}

static void agreement__without_the_flag_or_algorithm__is_not_permitted(void)
{
    const psa_key_id_t no_flag = pair_for(PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT);
    const psa_key_id_t no_algorithm = pair_for(ECDSA_256, PSA_KEY_USAGE_DERIVE);
    uint8_t out[32];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_raw_key_agreement(PSA_ALG_ECDH, no_flag, p256_public, 65, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_raw_key_agreement(PSA_ALG_ECDH, no_algorithm, p256_public, 65, out, sizeof out, &n));
}

static void policy__no_algorithm__permits_nothing(void)
{
    const psa_key_id_t key = aes_for(PSA_ALG_NONE, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_EXPORT);
    uint8_t out[64];
    size_t n;

    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_cipher_encrypt(key, PSA_ALG_CTR, aes_text, 16, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_export_key(key, out, sizeof out, &n));
}

static void check_key_usage__flags__say_what_is_permitted(void)
{
    const psa_key_id_t key = aes_for(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_EXPORT);

    EXPECT(PSA_SUCCESS, psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_DECRYPT));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(key, PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(key, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_check_key_usage(key, PSA_ALG_NONE, PSA_KEY_USAGE_COPY));
}

static void check_key_usage__nonsense__is_an_invalid_argument(void)
{
    const psa_key_id_t key = aes_for(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_EXPORT);

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(key, PSA_ALG_CTR, 0));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_EXPORT));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(key, PSA_ALG_CTR, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(key, PSA_ALG_NONE, PSA_KEY_USAGE_ENCRYPT));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(key, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_check_key_usage(PSA_KEY_ID_NULL, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT));
}

static void check_key_usage__permitted_but_left_out_of_the_build__is_not_supported(void)
{
    const psa_key_id_t key = aes_for(PSA_ALG_XTS, PSA_KEY_USAGE_ENCRYPT);

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_check_key_usage(key, PSA_ALG_XTS, PSA_KEY_USAGE_ENCRYPT));
}

static void check_key_usage__mac_of_an_impossible_length__is_what_the_mac_would_say(void)
{
    static const struct {
        unsigned length;
        psa_status_t status;
    } rows[] = {
        {3, PSA_ERROR_NOT_SUPPORTED},
        {4, PSA_SUCCESS},
        {32, PSA_SUCCESS},
        {33, PSA_ERROR_INVALID_ARGUMENT},
        {63, PSA_ERROR_INVALID_ARGUMENT},
    };
    uint8_t mac[64];
    size_t n;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_algorithm_t alg =
            PSA_ALG_TRUNCATED_MAC(PSA_ALG_HMAC(PSA_ALG_SHA_256), rows[i].length);
        const psa_key_id_t key =
            test_import(PSA_KEY_TYPE_HMAC, alg, PSA_KEY_USAGE_SIGN_MESSAGE, aes_text, 32);

        test_context("length", rows[i].length);
        EXPECT(rows[i].status, psa_check_key_usage(key, alg, PSA_KEY_USAGE_SIGN_MESSAGE));
        EXPECT(rows[i].status, psa_mac_compute(key, alg, aes_text, 16, mac, sizeof mac, &n));
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
}

static void check_key_usage__pairs_and_public_keys__differ_in_their_roles(void)
{
    const psa_key_id_t pair = pair_for(ECDSA_256, SIGN_VERIFY_HASH);
    const psa_key_id_t public_key =
        test_import(ECC_PUBLIC, ECDSA_256, SIGN_VERIFY_HASH, p256_public, sizeof p256_public);
    const psa_key_id_t agrees = pair_for(PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);

    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, ECDSA_256, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, ECDSA_256, PSA_KEY_USAGE_SIGN_MESSAGE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(pair, ECDSA_256, PSA_KEY_USAGE_VERIFY_MESSAGE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(public_key, ECDSA_256, PSA_KEY_USAGE_VERIFY_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(public_key, ECDSA_256, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(pair, ECDSA_ANY_HASH, PSA_KEY_USAGE_SIGN_HASH));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(agrees, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(agrees, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE_PUBLIC));
}

static const struct test_case tests[] = {
    TEST(cipher__without_the_flag__is_not_permitted),
    TEST(cipher__another_algorithm__is_not_permitted),
    TEST(mac__without_the_flag__is_not_permitted),
    TEST(mac__truncated__needs_its_own_policy),
    TEST(mac__at_least_policy__permits_that_length_and_more),
    TEST(wildcard__in_an_operation__is_never_valid),
    TEST(signature__without_the_flag__is_not_permitted),
    TEST(signature__hash_flag__permits_messages_too),
    TEST(signature__any_hash__permits_every_hash_but_not_none),
    TEST(signature__one_hash__does_not_permit_another),
    TEST(verification__deterministic_and_random_ecdsa__are_the_same),
    TEST(signing__deterministic_and_random_ecdsa__are_not_the_same),
    TEST(agreement__without_the_flag_or_algorithm__is_not_permitted),
    TEST(policy__no_algorithm__permits_nothing),
    TEST(check_key_usage__flags__say_what_is_permitted),
    TEST(check_key_usage__nonsense__is_an_invalid_argument),
    TEST(check_key_usage__permitted_but_left_out_of_the_build__is_not_supported),
    TEST(check_key_usage__mac_of_an_impossible_length__is_what_the_mac_would_say),
    TEST(check_key_usage__pairs_and_public_keys__differ_in_their_roles),
};

TEST_SUITE(policy, tests);
