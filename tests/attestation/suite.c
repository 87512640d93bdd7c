/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens and secrets of the device, for a program that has the keys and for clients of walls. */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include <corral/builtin_keys.h>
#include <psa/initial_attestation.h>

#include "../harness/deriving.h"
#include "../harness/scan.h"

/* Whether the program has the keys: not as a client. */
#define IS_OWN (!CORRAL_WALL)

#define P256 PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ES256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define SIZE 512u

static const size_t challenge_sizes[] = {32, 48, 64};

/* The beginning of the emulated boards' attestation key, and of their device key. */
static const uint8_t attestation_secret[] = {0x51, 0x56, 0x5b, 0x60, 0x65, 0x6a, 0x6f, 0x74};
static const uint8_t device_secret[] = {0x3b, 0x46, 0x51, 0x5c, 0x67, 0x72, 0x7d, 0x88};

static void fill_challenge(uint8_t *challenge, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        challenge[i] = (uint8_t)(size + 3 * i);
    }
}

static void say(const char *before, const uint8_t *data, size_t size)
{
    printf("%s", before);
    for (size_t i = 0; i < size; i++) {
        printf("%02x", (unsigned)data[i]);
    }
}

void attestation_say_token(size_t challenge_size)
{
    uint8_t *const challenge = test_buffer(challenge_size);
    size_t size = 0;
    size_t length = 0;

    fill_challenge(challenge, challenge_size);
    NEED(psa_initial_attest_get_token_size(challenge_size, &size));
    CHECK(size <= PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE);
    uint8_t *const token = test_buffer(size); /* no byte more than said */
    NEED(psa_initial_attest_get_token(challenge, challenge_size, token, size, &length));
    CHECK(length == size);
    say("token ", challenge, challenge_size);
    say(" ", token, length);
    printf("\n");
}

void attestation_say_derived(uint8_t output[32])
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, DERIVING_ALG));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                      CORRAL_KEY_HARDWARE));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                        (const uint8_t *)"test", 4));
    NEED(psa_key_derivation_output_bytes(&operation, output, 32));
    NEED(psa_key_derivation_abort(&operation));
    say("derived ", output, 32);
    printf("\n");
}

static void token__for_each_size_of_challenge__is_as_long_as_was_said(void)
{
    for (size_t i = 0; i < sizeof challenge_sizes / sizeof challenge_sizes[0]; i++) {
        attestation_say_token(challenge_sizes[i]);
    }
    CHECK(!test_stack_holds(attestation_secret, sizeof attestation_secret));
    CHECK(!test_memory_holds(attestation_secret, sizeof attestation_secret));
}

static void token__for_another_size_of_challenge__is_refused(void)
{
    static const size_t others[] = {0, 1, 31, 33, 47, 49, 63, 65, 128};
    uint8_t *const challenge = test_buffer(128);
    uint8_t *const token = test_buffer(SIZE);

    memset(challenge, 7, 128);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t length = 9;
        memset(token, 0x77, SIZE);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_initial_attest_get_token(challenge, others[i], token, SIZE, &length));
        CHECK(length == 0 && test_all(token, SIZE, 0x77));
        length = 9;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_initial_attest_get_token_size(others[i], &length));
        CHECK(length == 0);
    }
}

static void token__without_room__is_not_begun(void)
{
    uint8_t challenge[32] = {1};
    size_t size = 0;

    NEED(psa_initial_attest_get_token_size(sizeof challenge, &size));
    const size_t rooms[] = {0, 1, 64, size - 1};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        uint8_t *const token = test_buffer(rooms[i]);
        size_t length = 9;
        memset(token, 0x77, rooms[i]);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_initial_attest_get_token(challenge, sizeof challenge, token, rooms[i], &length));
        CHECK(length == 0 && test_all(token, rooms[i], 0x77));
    }
}

static void attestation_key__by_any_other_function__is_of_no_use(void)
{
    const psa_status_t refused = IS_OWN ? PSA_ERROR_NOT_PERMITTED : PSA_ERROR_INVALID_HANDLE;
    const psa_key_attributes_t wanted = test_attributes(P256, 256, ES256, PSA_KEY_USAGE_SIGN_HASH);
    const psa_key_id_t key = CORRAL_KEY_ATTESTATION;
    psa_key_attributes_t attributes = psa_key_attributes_init();
    psa_key_id_t copy = 9;
    uint8_t hash[32] = {1};
    uint8_t data[72];
    size_t length;

    EXPECT(refused, psa_sign_hash(key, ES256, hash, sizeof hash, data, sizeof data, &length));
    EXPECT(refused, psa_sign_message(key, ES256, hash, sizeof hash, data, sizeof data, &length));
    EXPECT(refused, psa_export_key(key, data, sizeof data, &length));
    EXPECT(refused, psa_copy_key(key, &wanted, &copy));
    EXPECT(refused, psa_destroy_key(key));
    EXPECT(IS_OWN ? PSA_SUCCESS : refused, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_usage_flags(&attributes) == 0);
    EXPECT(IS_OWN ? PSA_SUCCESS : refused, psa_export_public_key(key, data, sizeof data, &length));
    attestation_say_token(32);
}

static void hardware_key__gives_the_caller_one_secret(void)
{
    uint8_t first[32];
    uint8_t second[32];

    attestation_say_derived(first);
    attestation_say_derived(second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    CHECK(!test_stack_holds(device_secret, sizeof device_secret));
    CHECK(!test_memory_holds(device_secret, sizeof device_secret));
}

static void hardware_key__by_any_other_function__is_of_no_use(void)
{
    const psa_key_attributes_t wanted =
        test_attributes(PSA_KEY_TYPE_DERIVE, 256, DERIVING_ALG, PSA_KEY_USAGE_DERIVE);
    const psa_key_id_t key = CORRAL_KEY_HARDWARE;
    psa_key_attributes_t attributes = psa_key_attributes_init();
    psa_key_id_t copy = 9;
    uint8_t data[32];
    size_t length;

    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(key, data, sizeof data, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_copy_key(key, &wanted, &copy));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(key));
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_usage_flags(&attributes) == PSA_KEY_USAGE_DERIVE);
    CHECK(psa_get_key_bits(&attributes) == 256);
    attestation_say_derived(data);
}

static const struct test_case tests[] = {
    TEST(token__for_each_size_of_challenge__is_as_long_as_was_said),
    TEST(token__for_another_size_of_challenge__is_refused),
    TEST(token__without_room__is_not_begun),
    TEST(attestation_key__by_any_other_function__is_of_no_use),
    TEST(hardware_key__gives_the_caller_one_secret),
    TEST(hardware_key__by_any_other_function__is_of_no_use),
};

TEST_SUITE(attestation, tests);
