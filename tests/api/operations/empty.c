/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Empty buffers may be NULL. No function of the C library may be given NULL, not even
 * for no bytes: the sanitizer of undefined behaviour stops at whatever passes it on.
 */
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define AES PSA_KEY_TYPE_AES
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define CIPHERS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define MACS (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)

static uint8_t out[80];
static uint8_t text[80];
static size_t n;
static size_t m;

static void hash_and_xof__of_nothing__take_null(void)
{
    psa_hash_operation_t hash = PSA_HASH_OPERATION_INIT;
    psa_xof_operation_t xof = PSA_XOF_OPERATION_INIT;

    EXPECT(PSA_SUCCESS, psa_hash_compute(PSA_ALG_SHA_256, NULL, 0, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_hash_compare(PSA_ALG_SHA_256, NULL, 0, sha256_empty, 32));
    NEED(psa_hash_setup(&hash, PSA_ALG_SHA_256));
    EXPECT(PSA_SUCCESS, psa_hash_update(&hash, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_hash_verify(&hash, sha256_empty, 32));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_hash_compare(PSA_ALG_SHA_256, NULL, 0, NULL, 0));
    NEED(psa_xof_setup(&xof, PSA_ALG_SHAKE128));
    EXPECT(PSA_SUCCESS, psa_xof_update(&xof, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_xof_output(&xof, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&xof));
    EXPECT(PSA_SUCCESS, psa_generate_random(NULL, 0));
}

static void mac__of_nothing__takes_null(void)
{
    const psa_algorithm_t hmac = PSA_ALG_HMAC(PSA_ALG_SHA_256);
    const psa_key_id_t keys[] = {test_import(PSA_KEY_TYPE_HMAC, hmac, MACS, aes_key, 16),
                                 test_import(AES, PSA_ALG_CMAC, MACS, aes_key, 16)};
    const psa_algorithm_t algs[] = {hmac, PSA_ALG_CMAC};

    for (size_t i = 0; i < 2; i++) {
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

        test_context("algorithm", i);
        EXPECT(PSA_SUCCESS, psa_mac_compute(keys[i], algs[i], NULL, 0, out, sizeof out, &n));
        EXPECT(PSA_SUCCESS, psa_mac_verify(keys[i], algs[i], NULL, 0, out, n));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify(keys[i], algs[i], NULL, 0, NULL, 0));
        NEED(psa_mac_verify_setup(&operation, keys[i], algs[i]));
        EXPECT(PSA_SUCCESS, psa_mac_update(&operation, NULL, 0));
        EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, out, n));
    }
}

/* It has no padding of its own (docs/DECISIONS.md). */
static void cbc_mac__of_nothing_or_within_a_block__is_an_invalid_argument(void)
{
    const psa_key_id_t key = test_import(AES, PSA_ALG_CBC_MAC, MACS, aes_key, 16);

    for (size_t size = 0; size <= 32; size++) {
        psa_mac_operation_t sign = PSA_MAC_OPERATION_INIT;
        psa_mac_operation_t verify = PSA_MAC_OPERATION_INIT;
        const uint8_t *const message = size != 0 ? aes_text : NULL;
        const psa_status_t wanted =
            size != 0 && size % 16 == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;

        test_context("bytes", size);
        EXPECT(wanted, psa_mac_compute(key, PSA_ALG_CBC_MAC, message, size, out, sizeof out, &n));
        EXPECT(wanted, psa_mac_verify(key, PSA_ALG_CBC_MAC, message, size, out, n));
        NEED(psa_mac_verify_setup(&verify, key, PSA_ALG_CBC_MAC));
        NEED(psa_mac_update(&verify, message, size));
        EXPECT(wanted, psa_mac_verify_finish(&verify, out, n));
        NEED(psa_mac_sign_setup(&sign, key, PSA_ALG_CBC_MAC));
        NEED(psa_mac_update(&sign, message, size));
        EXPECT(wanted, psa_mac_sign_finish(&sign, out, sizeof out, &n));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&verify));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&sign));
    }
}

static void cipher_parts(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt, bool has_iv)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const bool ends_empty = alg != PSA_ALG_CBC_PKCS7;

    NEED(is_encrypt ? psa_cipher_encrypt_setup(&operation, key, alg)
                    : psa_cipher_decrypt_setup(&operation, key, alg));
    if (has_iv) {
        NEED(psa_cipher_set_iv(&operation, aes_iv, 16));
    }
    EXPECT(PSA_SUCCESS, psa_cipher_update(&operation, NULL, 0, NULL, 0, &n));
    EXPECT(ends_empty   ? PSA_SUCCESS
           : is_encrypt ? PSA_ERROR_BUFFER_TOO_SMALL
                        : PSA_ERROR_INVALID_ARGUMENT,
           psa_cipher_finish(&operation, NULL, 0, &n));
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
}

static void cipher__of_nothing__takes_null(void)
{
    const psa_algorithm_t algs[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                    PSA_ALG_CBC_PKCS7, PSA_ALG_CTR};

    for (size_t i = 0; i < sizeof algs / sizeof algs[0]; i++) {
        const psa_key_id_t key = test_import(AES, algs[i], CIPHERS, aes_key, 16);
        const bool has_iv = algs[i] != PSA_ALG_ECB_NO_PADDING;

        test_context("algorithm", i);
        EXPECT(PSA_SUCCESS, psa_cipher_encrypt(key, algs[i], NULL, 0, has_iv ? out : NULL,
                                               has_iv ? sizeof out : 0, &n));
        EXPECT(PSA_SUCCESS, psa_cipher_decrypt(key, algs[i], n > 0 ? out : NULL, n,
                                               n > 16 ? text : NULL, n > 16 ? sizeof text : 0, &m));
        CHECK(m == 0);
        cipher_parts(key, algs[i], true, has_iv);
        cipher_parts(key, algs[i], false, has_iv);
    }
}

static void aead__of_nothing__takes_null(void)
{
    const struct {
        psa_key_type_t type;
        psa_algorithm_t alg;
    } rows[] = {
        {AES, PSA_ALG_CCM}, {AES, PSA_ALG_GCM}, {PSA_KEY_TYPE_CHACHA20, PSA_ALG_CHACHA20_POLY1305}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_algorithm_t alg = rows[i].alg;
        const psa_key_id_t key =
            test_import(rows[i].type, alg, CIPHERS, aes_text, rows[i].type == AES ? 16 : 32);
        psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;

        test_context("algorithm", i);
        EXPECT(PSA_SUCCESS,
               psa_aead_encrypt(key, alg, aes_iv, 12, NULL, 0, NULL, 0, out, sizeof out, &n));
        EXPECT(PSA_SUCCESS, psa_aead_decrypt(key, alg, aes_iv, 12, NULL, 0, out, n, NULL, 0, &m));
        NEED(psa_aead_decrypt_setup(&operation, key, alg));
        NEED(psa_aead_set_lengths(&operation, 0, 0));
        NEED(psa_aead_set_nonce(&operation, aes_iv, 12));
        EXPECT(PSA_SUCCESS, psa_aead_update_ad(&operation, NULL, 0));
        EXPECT(PSA_SUCCESS, psa_aead_update(&operation, NULL, 0, NULL, 0, &m));
        EXPECT(PSA_SUCCESS, psa_aead_verify(&operation, NULL, 0, &m, out, n));
        NEED(psa_aead_encrypt_setup(&operation, key, alg));
        NEED(psa_aead_set_lengths(&operation, 0, 0));
        NEED(psa_aead_set_nonce(&operation, aes_iv, 12));
        EXPECT(PSA_SUCCESS, psa_aead_finish(&operation, NULL, 0, &m, text, sizeof text, &n));
        CHECK_BYTES(text, n, out, n);
    }
}

static void signature__of_nothing__takes_null(void)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), ECDSA,
                                         MACS, p256_private, 32);
    psa_verify_operation_t operation = PSA_VERIFY_OPERATION_INIT;

    EXPECT(PSA_SUCCESS, psa_sign_message(key, ECDSA, NULL, 0, out, sizeof out, &n));
    EXPECT(PSA_SUCCESS, psa_verify_message(key, ECDSA, NULL, 0, out, n));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_verify_message(key, ECDSA, NULL, 0, NULL, 0));
    NEED(psa_verify_setup(&operation, key, ECDSA, out, n));
    EXPECT(PSA_SUCCESS, psa_verify_set_context(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_verify_update(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_verify_finish(&operation));
    NEED(psa_verify_setup(&operation, key, ECDSA, NULL, 0));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_verify_finish(&operation));
    EXPECT(PSA_SUCCESS, psa_verify_abort(&operation));
}

static void derivation__of_nothing__takes_null(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, 32);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    EXPECT(PSA_SUCCESS,
           psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, NULL, 0));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
    EXPECT(PSA_SUCCESS,
           psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, out, 32));
    EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static const struct test_case tests[] = {
    TEST(hash_and_xof__of_nothing__take_null),
    TEST(mac__of_nothing__takes_null),
    TEST(cbc_mac__of_nothing_or_within_a_block__is_an_invalid_argument),
    TEST(cipher__of_nothing__takes_null),
    TEST(aead__of_nothing__takes_null),
    TEST(signature__of_nothing__takes_null),
    TEST(derivation__of_nothing__takes_null),
};
TEST_SUITE(empty, tests);
