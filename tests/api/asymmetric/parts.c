/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of messages in parts (PSA Crypto 1.5, 10.9.9). */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/machines/sign.h"
#include "../../harness/material.h"
#include "../../harness/rsa_keys.h"
#include "../../harness/walk.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECC_PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ED_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define DETERMINISTIC PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#define PKCS1 PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define BLAKE2B PSA_ALG_BLAKE2B_HASH512
#define SIZE 64u

static psa_key_id_t ecc_pair(psa_algorithm_t alg)
{
    return test_import(ECC_PAIR, alg, BOTH, p256_private, sizeof p256_private);
}

static psa_key_id_t ed_pair(psa_algorithm_t alg)
{
    return test_import(ED_PAIR, alg, BOTH, ed25519_private, sizeof ed25519_private);
}

/* Sign `input` in parts of `step` bytes, with a context unless its length is 0. */
static psa_status_t sign_in_parts(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                  size_t length, size_t step, size_t context_length,
                                  uint8_t *signature, size_t size, size_t *signature_length)
{
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;

    NEED(psa_sign_setup(&operation, key, alg));
    if (context_length != 0) {
        NEED(psa_sign_set_context(&operation, aes_text, context_length));
    }
    for (size_t at = 0; at < length; at += step) {
        NEED(psa_sign_update(&operation, input + at, length - at < step ? length - at : step));
    }
    psa_status_t status = psa_sign_finish(&operation, signature, size, signature_length);
    EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
    return status;
}

static psa_status_t verify_in_parts(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t length, size_t step, size_t context_length,
                                    const uint8_t *signature, size_t signature_length)
{
    psa_verify_operation_t operation = PSA_VERIFY_OPERATION_INIT;

    NEED(psa_verify_setup(&operation, key, alg, signature, signature_length));
    if (context_length != 0) {
        NEED(psa_verify_set_context(&operation, aes_text, context_length));
    }
    for (size_t at = 0; at < length; at += step) {
        NEED(psa_verify_update(&operation, input + at, length - at < step ? length - at : step));
    }
    psa_status_t status = psa_verify_finish(&operation);
    EXPECT(PSA_SUCCESS, psa_verify_abort(&operation));
    return status;
}

static void check_algorithm(psa_key_id_t key, psa_algorithm_t alg, size_t size,
                            size_t context_length)
{
    uint8_t message[150];

    test_fill(message, sizeof message, 8);
    for (size_t step = 1; step <= sizeof message; step += 37) {
        uint8_t *signature = test_buffer(size);
        size_t n;
        EXPECT(PSA_SUCCESS, sign_in_parts(key, alg, message, sizeof message, step, context_length,
                                          signature, size, &n));
        CHECK(n == size);
        EXPECT(PSA_SUCCESS,
               psa_verify_message_with_context(key, alg, message, sizeof message, aes_text,
                                               context_length, signature, n));
        EXPECT(PSA_SUCCESS, verify_in_parts(key, alg, message, sizeof message, 151 - step,
                                            context_length, signature, n));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify_in_parts(key, alg, message, sizeof message - 1,
                                                            step, context_length, signature, n));
    }
}

static void sign_parts__any_parts__give_the_signature_of_the_whole(void)
{
    check_algorithm(ecc_pair(ECDSA), ECDSA, SIZE, 0);
    check_algorithm(ecc_pair(DETERMINISTIC), DETERMINISTIC, SIZE, 0);
    check_algorithm(ed_pair(PSA_ALG_ED25519PH), PSA_ALG_ED25519PH, SIZE, 0);
    check_algorithm(ed_pair(PSA_ALG_ED25519PH), PSA_ALG_ED25519PH, SIZE, 20);
    check_algorithm(test_import(PSA_KEY_TYPE_RSA_KEY_PAIR, PKCS1, BOTH, rsa1024_pair, 609), PKCS1,
                    128, 0);
}

static void sign_parts__deterministic__agrees_with_the_rfc(void)
{
    const psa_key_id_t key = ecc_pair(DETERMINISTIC);
    const psa_key_id_t public_key = test_import(
        ECC_PUBLIC, DETERMINISTIC, PSA_KEY_USAGE_VERIFY_MESSAGE, p256_public, sizeof p256_public);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, sign_in_parts(key, DETERMINISTIC, p256_message, sizeof p256_message, 4, 0,
                                      signature, SIZE, &n));
    CHECK_BYTES(signature, n, p256_signature, SIZE);
    EXPECT(PSA_SUCCESS, verify_in_parts(public_key, DETERMINISTIC, p256_message,
                                        sizeof p256_message, 1, 0, p256_signature, SIZE));
}

/*
 * A nonce is made with the hash, PSS masks with it, PKCS#1 names it: the signer needs
 * it, even if another driver hashes the message.
 */
static void sign_parts__hash_that_only_others_have__is_refused_at_setup(void)
{
    const psa_key_type_t rsa = PSA_KEY_TYPE_RSA_KEY_PAIR;
    const struct {
        psa_key_type_t type;
        psa_algorithm_t alg;
        psa_status_t verifies;
    } rows[] = {
        {ECC_PAIR, PSA_ALG_DETERMINISTIC_ECDSA(BLAKE2B), PSA_SUCCESS},
        {rsa, PSA_ALG_RSA_PKCS1V15_SIGN(BLAKE2B), PSA_ERROR_NOT_SUPPORTED},
        {rsa, PSA_ALG_RSA_PSS(BLAKE2B), PSA_ERROR_NOT_SUPPORTED},
        {rsa, PSA_ALG_RSA_PSS_ANY_SALT(BLAKE2B), PSA_ERROR_NOT_SUPPORTED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_algorithm_t alg = rows[i].alg;
        const psa_key_id_t key =
            rows[i].type == rsa ? test_import(rsa, alg, BOTH, rsa1024_pair, 609) : ecc_pair(alg);
        psa_sign_operation_t sign = PSA_SIGN_OPERATION_INIT;
        psa_verify_operation_t verify = PSA_VERIFY_OPERATION_INIT;
        uint8_t signature[128];
        size_t n;
        test_context("row", i);
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_sign_setup(&sign, key, alg));
        EXPECT(PSA_ERROR_NOT_SUPPORTED,
               psa_sign_message(key, alg, abc, 3, signature, sizeof signature, &n));
        EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_check_key_usage(key, alg, PSA_KEY_USAGE_SIGN_MESSAGE));
        EXPECT(rows[i].verifies, psa_verify_setup(&verify, key, alg, rsa1024_signature, 128));
        EXPECT(rows[i].verifies, psa_check_key_usage(key, alg, PSA_KEY_USAGE_VERIFY_MESSAGE));
        NEED(psa_verify_abort(&verify));
    }
    check_algorithm(ecc_pair(PSA_ALG_ECDSA(BLAKE2B)), PSA_ALG_ECDSA(BLAKE2B), SIZE, 0);
}

static void sign_parts__no_part__is_the_empty_message(void)
{
    const psa_key_id_t key = ecc_pair(ECDSA);
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, sign_in_parts(key, ECDSA, NULL, 0, 1, 0, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, psa_verify_message(key, ECDSA, NULL, 0, signature, n));
    EXPECT(PSA_SUCCESS, verify_in_parts(key, ECDSA, NULL, 0, 1, 0, signature, n));
}

static void sign_parts__context__has_up_to_255_bytes(void)
{
    const psa_key_id_t key = ed_pair(PSA_ALG_ED25519PH);

    for (size_t length = 255; length <= 256; length++) {
        psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
        NEED(psa_sign_setup(&operation, key, PSA_ALG_ED25519PH));
        EXPECT(length == 255 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               psa_sign_set_context(&operation, test_buffer(length), length));
        EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
    }
}

static void sign_parts__setup_that_fails__leaves_the_operation_inactive(void)
{
    const psa_key_id_t key = ecc_pair(ECDSA);
    const psa_key_id_t pure = ed_pair(PSA_ALG_PURE_EDDSA);
    const psa_key_id_t any = ecc_pair(PSA_ALG_ECDSA_ANY);
    const psa_key_id_t sha384 = ecc_pair(PSA_ALG_ECDSA(PSA_ALG_SHA_384));
    const psa_key_id_t public_key =
        test_import(ECC_PUBLIC, ECDSA, BOTH, p256_public, sizeof p256_public);
    const psa_key_id_t raw = test_import(PSA_KEY_TYPE_RAW_DATA, ECDSA, BOTH, abc, 3);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    psa_verify_operation_t verification = PSA_VERIFY_OPERATION_INIT;

    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_sign_setup(&operation, 0x40000000, ECDSA));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_setup(&operation, key, DETERMINISTIC));
    EXPECT_REFUSED(psa_sign_setup(&operation, pure, PSA_ALG_PURE_EDDSA));
    EXPECT_REFUSED(psa_sign_setup(&operation, any, PSA_ALG_ECDSA_ANY));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_setup(&operation, key, PSA_ALG_SHA_256));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_sign_setup(&operation, sha384, PSA_ALG_ECDSA(PSA_ALG_SHA_384)));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_sign_setup(&operation, public_key, ECDSA));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_sign_setup(&operation, raw, ECDSA));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_verify_setup(&verification, raw, ECDSA, p256_signature, SIZE));
    EXPECT_REFUSED(psa_verify_setup(&verification, pure, PSA_ALG_PURE_EDDSA, p256_signature, SIZE));
    EXPECT(PSA_SUCCESS, psa_sign_setup(&operation, key, ECDSA));
    EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_verify_setup(&verification, key, ECDSA, p256_signature, SIZE));
    EXPECT(PSA_SUCCESS, psa_verify_abort(&verification));
}

static void sign_parts__usage_for_hashes_alone__implies_messages(void)
{
    const psa_key_id_t key =
        test_import(ECC_PAIR, ECDSA, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH,
                    p256_private, sizeof p256_private);
    const psa_key_id_t verifier =
        test_import(ECC_PAIR, ECDSA, PSA_KEY_USAGE_VERIFY_MESSAGE, p256_private, 32);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, sign_in_parts(key, ECDSA, abc, 3, 2, 0, signature, SIZE, &n));
    EXPECT(PSA_SUCCESS, verify_in_parts(verifier, ECDSA, abc, 3, 1, 0, signature, n));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_sign_setup(&operation, verifier, ECDSA));

    const psa_key_id_t signer =
        test_import(ECC_PAIR, ECDSA, PSA_KEY_USAGE_SIGN_MESSAGE, p256_private, 32);
    psa_verify_operation_t verification = PSA_VERIFY_OPERATION_INIT;
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_verify_setup(&verification, signer, ECDSA, signature, sizeof signature));
}

static void sign_parts__no_entropy__gives_no_signature(void)
{
    const psa_key_id_t key = ecc_pair(ECDSA);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    uint8_t signature[SIZE];
    size_t n = 9;

    EXPECT(PSA_SUCCESS, psa_sign_setup(&operation, key, ECDSA));
    test_entropy_mode(TEST_ENTROPY_ABSENT);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, psa_sign_finish(&operation, signature, SIZE, &n));
    test_entropy_mode(TEST_ENTROPY_GOOD);
    CHECK(n == 0 && test_all(signature, SIZE, 0));
    EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
}

static void sign_parts__key_destroyed__ends_the_operation(void)
{
    const psa_key_id_t key = ecc_pair(ECDSA);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    psa_verify_operation_t verification = PSA_VERIFY_OPERATION_INIT;
    uint8_t signature[SIZE];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_sign_setup(&operation, key, ECDSA));
    EXPECT(PSA_SUCCESS, psa_verify_setup(&verification, key, ECDSA, p256_signature, SIZE));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_ERROR_BAD_STATE, psa_sign_finish(&operation, signature, SIZE, &n));
    EXPECT(PSA_ERROR_BAD_STATE, psa_verify_update(&verification, abc, 3));
    EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_verify_abort(&verification));
}

static void verify_parts__signature_of_any_length__is_judged_at_the_end(void)
{
    const psa_key_id_t key = ecc_pair(ECDSA);
    uint8_t signature[200] = {0};

    for (size_t length = 0; length <= sizeof signature; length += 8) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               verify_in_parts(key, ECDSA, abc, 3, 3, 0, test_copy(signature, length), length));
    }
}

static void sign_parts__copied_operation__goes_on(void)
{
    const psa_key_id_t key = ecc_pair(DETERMINISTIC);
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    psa_sign_operation_t moved;
    uint8_t signature[SIZE];
    size_t n;

    NEED(psa_sign_setup(&operation, key, DETERMINISTIC));
    NEED(psa_sign_update(&operation, p256_message, 3));
    memcpy(&moved, &operation, sizeof moved);
    memset(&operation, 0xff, sizeof operation);
    EXPECT(PSA_SUCCESS, psa_sign_update(&moved, p256_message + 3, 3));
    EXPECT(PSA_SUCCESS, psa_sign_finish(&moved, signature, SIZE, &n));
    CHECK_BYTES(signature, n, p256_signature, SIZE);
    CHECK(test_all((const uint8_t *)&moved, sizeof moved, 0));
}

static psa_sign_operation_t signing;
static psa_verify_operation_t verifying;
static psa_key_id_t walked_key;
static uint8_t of_nothing[SIZE]; /* the signature of the empty message */
static uint8_t cut[SIZE - 1];    /* written to, because a driver has hashed */

TEST_CALL(sign_setup, psa_sign_setup(&signing, walked_key, ECDSA));
TEST_CALL(sign_setup_otherwise, psa_sign_setup(&signing, walked_key, DETERMINISTIC));
TEST_CALL(sign_set_no_context, psa_sign_set_context(&signing, NULL, 0));
TEST_CALL(sign_set_context, psa_sign_set_context(&signing, abc, 1));
TEST_CALL(sign_update_nothing, psa_sign_update(&signing, NULL, 0));
TEST_CALL(sign_update, psa_sign_update(&signing, abc, 3));
TEST_CALL(sign_finish, psa_sign_finish(&signing, WALK_OUT));
TEST_CALL(sign_finish_short, psa_sign_finish(&signing, cut, sizeof cut, &walk_output.length));
TEST_CALL(sign_abort, psa_sign_abort(&signing));
TEST_CALL(verify_setup, psa_verify_setup(&verifying, walked_key, ECDSA, of_nothing, SIZE));
TEST_CALL(verify_setup_otherwise,
          psa_verify_setup(&verifying, walked_key, PKCS1, of_nothing, SIZE));
TEST_CALL(verify_set_no_context, psa_verify_set_context(&verifying, NULL, 0));
TEST_CALL(verify_set_context, psa_verify_set_context(&verifying, abc, 1));
TEST_CALL(verify_update_nothing, psa_verify_update(&verifying, NULL, 0));
TEST_CALL(verify_update, psa_verify_update(&verifying, abc, 3));
TEST_CALL(verify_finish, psa_verify_finish(&verifying));
TEST_CALL(verify_abort, psa_verify_abort(&verifying));

static psa_status_t verify_another(void)
{
    psa_status_t status = psa_verify_update(&verifying, abc, 3);

    return status == PSA_SUCCESS ? psa_verify_finish(&verifying) : status;
}

/* ECDSA has no context but the empty one. */
static const struct walk_call sign_calls[] = {
    WALK_CALL(SIGN_SETUP, PSA_SUCCESS, sign_setup),
    WALK_CALL(SIGN_SETUP, PSA_ERROR_NOT_PERMITTED, sign_setup_otherwise),
    WALK_CALL(SIGN_SET_CONTEXT, PSA_SUCCESS, sign_set_no_context),
    WALK_CALL(SIGN_SET_CONTEXT, PSA_ERROR_INVALID_ARGUMENT, sign_set_context),
    WALK_CALL(SIGN_UPDATE, PSA_SUCCESS, sign_update_nothing),
    WALK_CALL(SIGN_UPDATE, PSA_SUCCESS, sign_update),
    WALK_CALL(SIGN_FINISH, PSA_SUCCESS, sign_finish),
    WALK_CALL(SIGN_FINISH, PSA_ERROR_BUFFER_TOO_SMALL, sign_finish_short),
};
static const struct walk_call verify_calls[] = {
    WALK_CALL(SIGN_SETUP, PSA_SUCCESS, verify_setup),
    WALK_CALL(SIGN_SETUP, PSA_ERROR_NOT_PERMITTED, verify_setup_otherwise),
    WALK_CALL(SIGN_SET_CONTEXT, PSA_SUCCESS, verify_set_no_context),
    WALK_CALL(SIGN_SET_CONTEXT, PSA_ERROR_INVALID_ARGUMENT, verify_set_context),
    WALK_CALL(SIGN_UPDATE, PSA_SUCCESS, verify_update_nothing),
    WALK_CALL(SIGN_UPDATE, PSA_SUCCESS, verify_update),
    WALK_CALL(SIGN_FINISH, PSA_SUCCESS, verify_finish),
    WALK_CALL(SIGN_FINISH, PSA_ERROR_INVALID_SIGNATURE, verify_another),
};

static void sign_and_verify_parts__every_call_in_every_state__are_as_the_table_says(void)
{
    const struct walk sign =
        WALK(sign_machine, signing, sign_abort, sign_calls, .measured = ONLY(SIGN_FINISH));
    const struct walk verify =
        WALK(sign_machine, verifying, verify_abort, verify_calls, .absent = 0);
    size_t n;

    walked_key = ecc_pair(ECDSA);
    NEED(psa_sign_message(walked_key, ECDSA, NULL, 0, of_nothing, SIZE, &n));
    walk_through(&sign);
    walk_through(&verify);
}

static const struct test_case tests[] = {
    TEST(sign_parts__any_parts__give_the_signature_of_the_whole),
    TEST(sign_parts__deterministic__agrees_with_the_rfc),
    TEST(sign_parts__hash_that_only_others_have__is_refused_at_setup),
    TEST(sign_parts__no_part__is_the_empty_message),
    TEST(sign_parts__context__has_up_to_255_bytes),
    TEST(sign_parts__setup_that_fails__leaves_the_operation_inactive),
    TEST(sign_parts__usage_for_hashes_alone__implies_messages),
    TEST(sign_parts__no_entropy__gives_no_signature),
    TEST(sign_parts__key_destroyed__ends_the_operation),
    TEST(verify_parts__signature_of_any_length__is_judged_at_the_end),
    TEST(sign_parts__copied_operation__goes_on),
    TEST(sign_and_verify_parts__every_call_in_every_state__are_as_the_table_says),
};

TEST_SUITE(sign_parts, tests);
