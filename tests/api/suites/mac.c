/* SPDX-License-Identifier: Apache-2.0 */
/* MACs in one call and in parts (PSA Crypto 1.5, 10.4). */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/machines/mac.h"
#include "../../harness/material.h"
#include "../../harness/walk.h"

#define ALG PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define LENGTH 32u
#define BOTH (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)

static psa_key_id_t hmac_for(psa_algorithm_t alg)
{
    return test_import(PSA_KEY_TYPE_HMAC, alg, BOTH, hmac_key, sizeof hmac_key);
}

static psa_mac_operation_t signing(psa_key_id_t key, psa_algorithm_t alg)
{
    psa_mac_operation_t operation = psa_mac_operation_init();

    NEED(psa_mac_sign_setup(&operation, key, alg));
    NEED(psa_mac_update(&operation, hmac_message, sizeof hmac_message));
    return operation;
}

static psa_mac_operation_t verifying(psa_key_id_t key, psa_algorithm_t alg)
{
    psa_mac_operation_t operation = psa_mac_operation_init();

    NEED(psa_mac_verify_setup(&operation, key, alg));
    NEED(psa_mac_update(&operation, hmac_message, sizeof hmac_message));
    return operation;
}

static void mac__known_answer__agrees_in_one_call_and_in_parts(void)
{
    const psa_key_id_t key = hmac_for(ALG);
    psa_mac_operation_t operation = signing(key, ALG);
    uint8_t *out = test_buffer(LENGTH);
    size_t n;

    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, out, LENGTH, &n));
    CHECK_BYTES(out, n, hmac_tag, LENGTH);
    memset(out, 0, LENGTH);
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, ALG, hmac_message, 28, out, LENGTH, &n));
    CHECK_BYTES(out, n, hmac_tag, LENGTH);
    EXPECT(PSA_SUCCESS, psa_mac_verify(key, ALG, hmac_message, 28, hmac_tag, LENGTH));
    operation = verifying(key, ALG);
    EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, hmac_tag, LENGTH));
}

static void mac_compute__short_buffer__leaves_no_hold(void)
{
    const psa_key_id_t key = hmac_for(ALG);

    for (size_t size = 0; size < LENGTH; size++) {
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_mac_compute(key, ALG, hmac_message, 28, out, size, &n));
        CHECK(n == 0);
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void mac_sign_finish__short_buffer__is_too_small(void)
{
    const psa_key_id_t key = hmac_for(ALG);

    for (size_t size = 0; size < LENGTH; size++) {
        psa_mac_operation_t operation = signing(key, ALG);
        uint8_t *out = test_buffer(size);
        size_t n = 9;
        test_context("bytes", size);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_mac_sign_finish(&operation, out, size, &n));
        CHECK(n == 0);
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    }
}

static void mac_verify__forged_or_cut__is_an_invalid_signature(void)
{
    const psa_key_id_t key = hmac_for(ALG);
    uint8_t tag[LENGTH + 1] = {0};

    memcpy(tag, hmac_tag, LENGTH);
    for (size_t i = 0; i < LENGTH; i++) {
        psa_mac_operation_t operation = verifying(key, ALG);
        test_context("byte", i);
        tag[i] ^= 0x80;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify(key, ALG, hmac_message, 28, tag, LENGTH));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify_finish(&operation, tag, LENGTH));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
        tag[i] ^= 0x80;
        operation = verifying(key, ALG);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify(key, ALG, hmac_message, 28, test_copy(tag, i), i));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify_finish(&operation, test_copy(tag, i), i));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    }
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_mac_verify(key, ALG, hmac_message, 28, tag, LENGTH + 1));
    psa_mac_operation_t operation = verifying(key, ALG);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify_finish(&operation, tag, LENGTH + 1));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_mac_verify(key, ALG, hmac_message, 27, tag, LENGTH));
}

/* A key that is longer than a block is hashed. The values are those of Python's hmac. */
static void hmac__key_as_long_as_a_block__is_not_hashed(void)
{
    static const uint8_t tags[][LENGTH] = {
        {0x49, 0xeb, 0x59, 0xb0, 0xcd, 0x85, 0x32, 0xd2, 0x79, 0x8a, 0xee,
         0x93, 0x75, 0x6c, 0xf1, 0x77, 0x0d, 0x35, 0xa6, 0xe7, 0xdb, 0x2d,
         0x49, 0xf1, 0xc7, 0x0d, 0x19, 0x09, 0x80, 0xea, 0x8f, 0x9e},
        {0x7d, 0x13, 0x85, 0x03, 0xe2, 0x66, 0x66, 0x74, 0x0e, 0x49, 0x3a,
         0x90, 0x64, 0x10, 0x24, 0x39, 0x7c, 0x00, 0x1a, 0xd5, 0xd3, 0x61,
         0x85, 0x58, 0xa5, 0x80, 0x05, 0x20, 0x81, 0x95, 0x28, 0x85},
        {0xeb, 0x46, 0x92, 0xe2, 0xb4, 0x60, 0x98, 0x2c, 0x82, 0x8a, 0x38,
         0x65, 0xb8, 0x86, 0x23, 0x1f, 0x2d, 0x85, 0x24, 0x25, 0xde, 0x8f,
         0x1f, 0xf4, 0x78, 0x31, 0x82, 0x6c, 0x00, 0x59, 0x44, 0x8a},
    };
    uint8_t material[65];
    uint8_t out[LENGTH];
    size_t n;

    memset(material, 0xaa, sizeof material);
    for (size_t i = 0; i < 3; i++) {
        const psa_key_id_t key = test_import(PSA_KEY_TYPE_HMAC, ALG, BOTH, material, 63 + i);
        test_context("key", 63 + i);
        EXPECT(PSA_SUCCESS, psa_mac_compute(key, ALG, hmac_message, 28, out, LENGTH, &n));
        CHECK_BYTES(out, n, tags[i], LENGTH);
        psa_mac_operation_t operation = verifying(key, ALG);
        EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, tags[i], LENGTH));
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
    test_context(NULL, 0);
}

/* The last block is treated otherwise if it is not full. The values are those of OpenSSL. */
static void cmac__length_around_a_block__has_the_known_answer(void)
{
    static const struct {
        size_t length;
        uint8_t tag[16];
    } cases[] = {
        {0,
         {0xbb, 0x1d, 0x69, 0x29, 0xe9, 0x59, 0x37, 0x28, 0x7f, 0xa3, 0x7d, 0x12, 0x9b, 0x75, 0x67,
          0x46}},
        {1,
         {0xdb, 0x9a, 0x4c, 0x78, 0x2d, 0x4e, 0x0f, 0xfc, 0x33, 0x89, 0x72, 0x3c, 0x71, 0x33, 0x78,
          0x07}},
        {15,
         {0xce, 0xce, 0xb5, 0x9d, 0x59, 0xed, 0x54, 0xab, 0x50, 0xe4, 0x29, 0x0e, 0x8a, 0x14, 0x29,
          0x09}},
        {16,
         {0x46, 0x4b, 0x92, 0xf5, 0x44, 0xae, 0x24, 0x05, 0x9e, 0xd1, 0x3d, 0xe4, 0xff, 0x05, 0xca,
          0xb5}},
        {17,
         {0x3b, 0x68, 0x65, 0x62, 0xa7, 0xa6, 0x38, 0x92, 0x0a, 0x9a, 0x7e, 0x7b, 0xf8, 0x86, 0x0a,
          0x1b}},
        {31,
         {0x3d, 0x8b, 0x2a, 0x9e, 0x2d, 0x0a, 0x16, 0x74, 0x25, 0x6b, 0xcf, 0xb1, 0xb8, 0xa9, 0xb7,
          0xa4}},
        {32,
         {0xd8, 0x78, 0xfa, 0x40, 0x87, 0xde, 0x60, 0x32, 0x7d, 0x0c, 0x30, 0xf2, 0x3a, 0x45, 0xa3,
          0x3d}},
        {33,
         {0x4a, 0x6b, 0x97, 0x37, 0x3a, 0xa1, 0x7a, 0x26, 0xcd, 0xb5, 0x5d, 0x23, 0x15, 0xc7, 0xca,
          0x39}},
    };
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, BOTH, aes_key, 16);
    uint8_t message[33];
    uint8_t out[16];
    size_t n;

    memset(message, 'a', sizeof message);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t length = cases[i].length;
        test_context("length", length);
        EXPECT(PSA_SUCCESS,
               psa_mac_compute(key, PSA_ALG_CMAC, message, length, out, sizeof out, &n));
        CHECK_BYTES(out, n, cases[i].tag, sizeof out);
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        EXPECT(PSA_SUCCESS, psa_mac_verify_setup(&operation, key, PSA_ALG_CMAC));
        EXPECT(PSA_SUCCESS, psa_mac_update(&operation, message, length / 2));
        EXPECT(PSA_SUCCESS, psa_mac_update(&operation, message + length / 2, length - length / 2));
        EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, cases[i].tag, sizeof out));
    }
    test_context(NULL, 0);
}

static void mac__truncated__is_the_beginning_of_the_full_one(void)
{
    uint8_t *out;
    size_t n;

    for (unsigned length = 4; length <= LENGTH; length++) {
        const psa_algorithm_t alg = PSA_ALG_TRUNCATED_MAC(ALG, length);
        const psa_key_id_t key = hmac_for(alg);
        psa_mac_operation_t operation = signing(key, alg);

        test_context("length", length);
        out = test_buffer(length);
        EXPECT(PSA_SUCCESS, psa_mac_compute(key, alg, hmac_message, 28, out, length, &n));
        CHECK_BYTES(out, n, hmac_tag, length);
        memset(out, 0, length);
        EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, out, length, &n));
        CHECK_BYTES(out, n, hmac_tag, length);
        operation = verifying(key, alg);
        EXPECT(PSA_SUCCESS, psa_mac_verify_finish(&operation, out, length));
        EXPECT(PSA_SUCCESS, psa_mac_verify(key, alg, hmac_message, 28, out, length));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_mac_verify(key, alg, hmac_message, 28, hmac_tag, length - 1));
        EXPECT(
            PSA_ERROR_BUFFER_TOO_SMALL,
            psa_mac_compute(key, alg, hmac_message, 28, test_buffer(length - 1), length - 1, &n));
        test_destroy_keys();
    }
}

static void mac__length_that_cannot_be__is_refused(void)
{
    const unsigned lengths[] = {1, 2, 3, 33, 63};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const psa_algorithm_t alg = PSA_ALG_TRUNCATED_MAC(ALG, lengths[i]);
        const psa_key_id_t key = hmac_for(alg);
        const psa_status_t wanted =
            lengths[i] < 4 ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        uint8_t out[64];
        size_t n = 1;

        test_context("length", lengths[i]);
        EXPECT(wanted, psa_mac_compute(key, alg, abc, 3, out, sizeof out, &n));
        CHECK(n == 0);
        EXPECT(wanted, psa_mac_verify(key, alg, abc, 3, out, lengths[i]));
        EXPECT(wanted, psa_mac_sign_setup(&operation, key, alg));
        EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
        test_destroy_keys();
    }
}

static void mac__key_of_another_type__is_refused(void)
{
    const psa_key_id_t aes = test_import(PSA_KEY_TYPE_AES, ALG, BOTH, aes_key, 16);
    const psa_key_id_t raw = test_import(PSA_KEY_TYPE_HMAC, PSA_ALG_CMAC, BOTH, hmac_key, 4);
    uint8_t out[LENGTH];
    size_t n;

    psa_status_t status = psa_mac_compute(aes, ALG, abc, 3, out, sizeof out, &n);
    CHECK(status == PSA_ERROR_INVALID_ARGUMENT || status == PSA_ERROR_NOT_SUPPORTED);
    status = psa_mac_compute(raw, PSA_ALG_CMAC, abc, 3, out, sizeof out, &n);
    CHECK(status == PSA_ERROR_INVALID_ARGUMENT || status == PSA_ERROR_NOT_SUPPORTED);
}

static void mac__left_out_of_the_build__is_not_supported(void)
{
    const psa_algorithm_t absent = PSA_ALG_HMAC(PSA_ALG_RIPEMD160);
    const psa_key_id_t key = hmac_for(absent);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t out[LENGTH];
    size_t n = 1;

    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_mac_compute(key, absent, abc, 3, out, sizeof out, &n));
    CHECK(n == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_mac_verify(key, absent, abc, 3, out, 20));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_mac_sign_setup(&operation, key, absent));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_mac_verify_setup(&operation, key, absent));
}

static void mac__not_a_mac__is_refused(void)
{
    const psa_key_id_t key = hmac_for(PSA_ALG_SHA_256);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t out[LENGTH];
    size_t n;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_mac_compute(key, PSA_ALG_SHA_256, abc, 3, out, sizeof out, &n));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_mac_sign_setup(&operation, key, PSA_ALG_SHA_256));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_mac_verify_setup(&operation, key, PSA_ALG_SHA_256));
}

static void mac__chunks_of_every_size__give_the_same(void)
{
    const psa_key_id_t aes = test_import(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, BOTH, aes_key, 16);
    const psa_key_id_t keys[] = {hmac_for(ALG), aes};
    const psa_algorithm_t algs[] = {ALG, PSA_ALG_CMAC};
    uint8_t message[100];

    test_fill(message, sizeof message, 4);
    for (size_t k = 0; k < 2; k++) {
        uint8_t whole[LENGTH];
        uint8_t out[LENGTH];
        size_t length;
        size_t n;
        NEED(psa_mac_compute(keys[k], algs[k], message, sizeof message, whole, sizeof whole,
                             &length));
        for (size_t chunk = 1; chunk <= sizeof message; chunk++) {
            psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
            NEED(psa_mac_sign_setup(&operation, keys[k], algs[k]));
            for (size_t at = 0; at < sizeof message; at += chunk) {
                const size_t rest = sizeof message - at;
                EXPECT(PSA_SUCCESS,
                       psa_mac_update(&operation, message + at, rest < chunk ? rest : chunk));
                EXPECT(PSA_SUCCESS, psa_mac_update(&operation, NULL, 0));
            }
            EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, out, sizeof out, &n));
            CHECK_BYTES(out, n, whole, length);
        }
    }
}

static void mac__no_input__is_computed(void)
{
    const psa_key_id_t key = hmac_for(ALG);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    uint8_t a[LENGTH];
    uint8_t b[LENGTH];
    size_t n;

    EXPECT(PSA_SUCCESS, psa_mac_compute(key, ALG, NULL, 0, a, sizeof a, &n));
    NEED(psa_mac_sign_setup(&operation, key, ALG));
    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&operation, b, sizeof b, &n));
    CHECK_BYTES(a, sizeof a, b, n);
}

static void mac__key_destroyed_meanwhile__the_operation_fails(void)
{
    const psa_key_id_t first = hmac_for(ALG);
    psa_mac_operation_t operation = signing(first, ALG);
    uint8_t *out = test_buffer(LENGTH);
    size_t n;

    NEED(psa_destroy_key(first));
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&operation, abc, 3));
    const psa_key_id_t second = hmac_for(ALG);
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_sign_setup(&operation, second, ALG));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    operation = signing(second, ALG);
    NEED(psa_destroy_key(second));
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_sign_finish(&operation, out, LENGTH, &n));
    CHECK(n == 0 && test_all(out, LENGTH, 0xa5));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
}

static void mac__object_moved_between_calls__goes_on(void)
{
    const psa_key_id_t key = hmac_for(ALG);
    psa_mac_operation_t a = signing(key, ALG);
    psa_mac_operation_t *b = (psa_mac_operation_t *)(void *)test_buffer(sizeof *b);
    uint8_t out[LENGTH];
    size_t n;

    memcpy(b, &a, sizeof a);
    memset(&a, 0xdd, sizeof a);
    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(b, out, sizeof out, &n));
    CHECK_BYTES(out, n, hmac_tag, LENGTH);
}

static void mac_compute__output_over_the_input__gives_the_same(void)
{
    const psa_key_id_t key = hmac_for(ALG);
    uint8_t message[80];
    uint8_t whole[LENGTH];
    size_t n;

    test_fill(message, sizeof message, 8);
    NEED(psa_mac_compute(key, ALG, message, sizeof message, whole, sizeof whole, &n));
    for (size_t at = 0; at + LENGTH <= sizeof message; at++) {
        uint8_t *buffer = test_copy(message, sizeof message);
        test_context("shift", at);
        EXPECT(PSA_SUCCESS,
               psa_mac_compute(key, ALG, buffer, sizeof message, buffer + at, LENGTH, &n));
        CHECK_BYTES(buffer + at, n, whole, LENGTH);
    }
}

static psa_mac_operation_t walked;
static psa_key_id_t walked_key;
static uint8_t empty_tag[LENGTH];

TEST_CALL(sign_setup, psa_mac_sign_setup(&walked, walked_key, ALG));
TEST_CALL(sign_setup_otherwise, psa_mac_sign_setup(&walked, walked_key, PSA_ALG_CMAC));
TEST_CALL(verify_setup, psa_mac_verify_setup(&walked, walked_key, ALG));
TEST_CALL(verify_setup_without_key, psa_mac_verify_setup(&walked, PSA_KEY_ID_NULL, ALG));
TEST_CALL(update, psa_mac_update(&walked, abc, 3));
TEST_CALL(sign_finish, psa_mac_sign_finish(&walked, WALK_OUT));
TEST_CALL(sign_finish_short,
          psa_mac_sign_finish(&walked, walk_output.bytes, LENGTH - 1, &walk_output.length));
TEST_CALL(verify_finish, psa_mac_verify_finish(&walked, empty_tag, LENGTH));
TEST_CALL(verify_another, psa_mac_verify_finish(&walked, hmac_tag, LENGTH));
TEST_CALL(verify_cut, psa_mac_verify_finish(&walked, empty_tag, LENGTH - 1));
TEST_CALL(abort_walked, psa_mac_abort(&walked));

static const struct walk_call calls[] = {
    WALK_CALL(MAC_SIGN_SETUP, PSA_SUCCESS, sign_setup),
    WALK_CALL(MAC_SIGN_SETUP, PSA_ERROR_NOT_PERMITTED, sign_setup_otherwise),
    WALK_CALL(MAC_VERIFY_SETUP, PSA_SUCCESS, verify_setup),
    WALK_CALL(MAC_VERIFY_SETUP, PSA_ERROR_INVALID_HANDLE, verify_setup_without_key),
    WALK_CALL(MAC_UPDATE, PSA_SUCCESS, update),
    WALK_CALL(MAC_SIGN_FINISH, PSA_SUCCESS, sign_finish),
    WALK_CALL(MAC_SIGN_FINISH, PSA_ERROR_BUFFER_TOO_SMALL, sign_finish_short),
    WALK_CALL(MAC_VERIFY_FINISH, PSA_SUCCESS, verify_finish),
    WALK_CALL(MAC_VERIFY_FINISH, PSA_ERROR_INVALID_SIGNATURE, verify_another),
    WALK_CALL(MAC_VERIFY_FINISH, PSA_ERROR_INVALID_SIGNATURE, verify_cut),
};

static void mac__every_call_in_every_state__is_as_the_table_says(void)
{
    const struct walk walk =
        WALK(mac_machine, walked, abort_walked, calls, .measured = ONLY(MAC_SIGN_FINISH));
    size_t n;

    walked_key = hmac_for(ALG);
    NEED(psa_mac_compute(walked_key, ALG, NULL, 0, empty_tag, LENGTH, &n));
    walk_through(&walk);
}

static const struct test_case tests[] = {
    TEST(mac__known_answer__agrees_in_one_call_and_in_parts),
    TEST(mac_compute__short_buffer__leaves_no_hold),
    TEST(mac_sign_finish__short_buffer__is_too_small),
    TEST(mac_verify__forged_or_cut__is_an_invalid_signature),
    TEST(hmac__key_as_long_as_a_block__is_not_hashed),
    TEST(cmac__length_around_a_block__has_the_known_answer),
    TEST(mac__truncated__is_the_beginning_of_the_full_one),
    TEST(mac__length_that_cannot_be__is_refused),
    TEST(mac__key_of_another_type__is_refused),
    TEST(mac__left_out_of_the_build__is_not_supported),
    TEST(mac__not_a_mac__is_refused),
    TEST(mac__chunks_of_every_size__give_the_same),
    TEST(mac__no_input__is_computed),
    TEST(mac__key_destroyed_meanwhile__the_operation_fails),
    TEST(mac__object_moved_between_calls__goes_on),
    TEST(mac_compute__output_over_the_input__gives_the_same),
    TEST(mac__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(mac, tests);
