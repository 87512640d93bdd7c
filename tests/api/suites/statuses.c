/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses that many functions have in common, and some that few of them meet. */
#include <corral/config.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/keyed.h"
#include "../../harness/material.h"

#define ED_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define SIGN_AND_VERIFY (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET

static const uint8_t context[1] = {1};

static psa_key_id_t ed25519_for(psa_algorithm_t alg, psa_key_usage_t usage)
{
    return test_import(ED_PAIR, alg, usage, ed25519_private, sizeof ed25519_private);
}

/* Identifiers of no key: an unused one, one of a stored key, and one that was a key's. */
static void unknown__key__is_an_invalid_handle(void)
{
    const psa_key_id_t was = test_import(PSA_KEY_TYPE_RAW_DATA, 0, 0, abc, 3);
    const psa_key_id_t keys[] = {0x40000000, 5, was};

    NEED(psa_destroy_key(was));
    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *call = &keyed_calls[i];

        test_context(call->name, i);
        for (size_t j = 0; j < sizeof keys / sizeof keys[0]; j++) {
            psa_status_t status = call->begin == NULL ? PSA_SUCCESS : call->begin(keys[j]);
            if (status == PSA_SUCCESS) {
                status = call->run(keys[j]);
            }
            EXPECT(PSA_ERROR_INVALID_HANDLE, status);
            keyed_end();
        }
    }
}

/* Libraries blind secrets with random numbers, or do not: without them they report an error. */
static void entropy__absent__is_said_by_whatever_needs_it(void)
{
    unsigned lacking = 0;

    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *call = &keyed_calls[i];
        const psa_key_attributes_t attributes = keyed_attributes(call);
        psa_key_id_t key;

        test_context(call->name, i);
        NEED(keyed_create(&attributes, &key));
        psa_status_t status = call->begin == NULL ? PSA_SUCCESS : call->begin(key);
        if (status == PSA_SUCCESS) {
            test_entropy_mode(TEST_ENTROPY_ABSENT);
            status = call->run(key);
            test_entropy_mode(TEST_ENTROPY_GOOD);
        }
        lacking += status == PSA_ERROR_INSUFFICIENT_ENTROPY;
        /* Mechanisms that are not in this build, and keys that are none of RSA. */
        CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_ENTROPY ||
              status == PSA_ERROR_NOT_SUPPORTED || status == PSA_ERROR_NOT_PERMITTED);
        keyed_end();
        (void)psa_destroy_key(key);
    }
    CHECK(lacking >= 4);
}

static void context__algorithm_that_is_not_there__is_not_supported(void)
{
    const psa_key_id_t message = ed25519_for(PSA_ALG_EDDSA_CTX, SIGN_AND_VERIFY);
    const psa_key_id_t hash = ed25519_for(PSA_ALG_ED25519PH, SIGN_AND_VERIFY);
    uint8_t signature[64] = {0};
    size_t n;

    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_sign_message_with_context(message, PSA_ALG_EDDSA_CTX, abc, 3, context, 1, signature,
                                         sizeof signature, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_verify_message_with_context(message, PSA_ALG_EDDSA_CTX, abc, 3, context, 1,
                                           signature, sizeof signature));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_sign_hash_with_context(hash, PSA_ALG_ED25519PH, aes_text, 64, context, 1, signature,
                                      sizeof signature, &n));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_verify_hash_with_context(hash, PSA_ALG_ED25519PH, aes_text, 64, context, 1,
                                        signature, sizeof signature));
}

static void curve__of_signatures__agrees_on_nothing(void)
{
    const psa_algorithm_t agreed = PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, HKDF);
    const psa_key_id_t derives = ed25519_for(agreed, PSA_KEY_USAGE_DERIVE);
    const psa_key_id_t encrypts =
        ed25519_for(PSA_ALG_ECIES_SEC1, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    const psa_key_attributes_t attributes = creating_attributes();
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t ciphertext[100];
    psa_key_id_t key = 1;
    size_t n;

    NEED(psa_key_derivation_setup(&operation, agreed));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_key_derivation_key_agreement(&operation, SECRET, derives, ed25519_public, 32));
    NEED(psa_key_derivation_abort(&operation));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_encapsulate(encrypts, PSA_ALG_ECIES_SEC1, &attributes, &key,
                                                    ciphertext, sizeof ciphertext, &n));
    CHECK(key == PSA_KEY_ID_NULL && n == 0);
}

static void cipher__algorithm_of_another_kind__is_refused_by_both_setups(void)
{
    const psa_algorithm_t hash = PSA_ALG_SHA_256;
    const psa_key_id_t key = test_import(
        PSA_KEY_TYPE_AES, hash, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, aes_key, 16);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_encrypt_setup(&operation, key, hash));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_cipher_decrypt_setup(&operation, key, hash));
}

static void derived_key__with_parameters__meets_what_the_plain_one_does(void)
{
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const psa_key_id_t source =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, 32);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_attributes_t attributes = creating_attributes();
    psa_key_id_t key = 1;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_set_capacity(&operation, 31));
    NEED(psa_key_derivation_input_key(&operation, SECRET, source));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
           psa_key_derivation_output_key_custom(&attributes, &operation, &custom, NULL, 0, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    NEED(psa_key_derivation_abort(&operation));
    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_key(&operation, SECRET, source));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_DES);
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_key_derivation_output_key_custom(&attributes, &operation, &custom, NULL, 0, &key));
    NEED(psa_key_derivation_abort(&operation));
}

/* Which pointers, tests/api/pointers has: here the checks are in front of the real functions. */
static void null_pointer__where_it_is_checked__is_an_invalid_argument(void)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t hash[32];
    size_t length;

    if (!CORRAL_CHECK_POINTERS) {
        test_skip("no checks of pointers");
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_generate_random(NULL, 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(NULL, hash, 1, NULL));
    NEED(psa_hash_setup(&operation, PSA_ALG_SHA_256));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_update(&operation, NULL, 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_hash_finish(&operation, hash, sizeof hash, NULL));
    EXPECT(PSA_SUCCESS, psa_hash_update(&operation, NULL, 0));
    EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, hash, sizeof hash, &length));
}

static const struct test_case tests[] = {
    TEST(unknown__key__is_an_invalid_handle),
    TEST(entropy__absent__is_said_by_whatever_needs_it),
    TEST(context__algorithm_that_is_not_there__is_not_supported),
    TEST(curve__of_signatures__agrees_on_nothing),
    TEST(cipher__algorithm_of_another_kind__is_refused_by_both_setups),
    TEST(derived_key__with_parameters__meets_what_the_plain_one_does),
    TEST(null_pointer__where_it_is_checked__is_an_invalid_argument),
};

TEST_SUITE(statuses, tests);
