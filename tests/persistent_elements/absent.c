/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An element that does not answer: whatever asks it says so, and nothing else does. And keys that
 * were in an element before.
 */
#include <stdio.h>

#include <corral/board.h>
#include <corral/locations.h>

#include "../harness/harness.h"
#include "../harness/keyed.h"
#include "../harness/material.h"
#include "chips.h"
#include "start.h"

#define SE0_VOLATILE                                                                               \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE,                   \
                                                   CORRAL_LOCATION_SE0)
#define AES_SLOT 4 /* of SE0, as the board declares it */
#define HMAC_SLOT 6

/* A key of the element for a call, and the call's operation; false: the element has no such. */
static bool prepare(const struct keyed_call *call, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = keyed_attributes(call);

    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    psa_status_t status = keyed_create(&attributes, key);
    if (status == PSA_SUCCESS && call->begin != NULL) {
        status = call->begin(*key);
    }
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_NOT_SUPPORTED);
    return status == PSA_SUCCESS;
}

static void say(const char *what, unsigned count)
{
    char text[100];

    (void)snprintf(text, sizeof text, "%s: %u functions\n", what, count);
    corral_board_print(text);
}

static void element__not_answering__is_said_by_whatever_asks_it(void)
{
    unsigned asking = 0;

    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *call = &keyed_calls[i];
        psa_key_id_t key;

        test_context(call->name, i);
        start_fresh();
        if (prepare(call, &key)) {
            chips_cut(1, false, true);
            const psa_status_t status = call->run(key);
            const bool was_asked = chips_power_on();
            CHECK(was_asked == (status == PSA_ERROR_COMMUNICATION_FAILURE));
            asking += was_asked;
        }
        keyed_end();
        if (psa_destroy_key(key) != PSA_SUCCESS) {
            EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
        }
    }
    test_context(NULL, 0);
    say("keys of an element that does not answer", asking);
    CHECK(asking >= 30);
}

static void element__not_answering__creates_no_key(void)
{
    for (size_t i = 0; i < creating_call_count; i++) {
        const struct creating_call *call = &creating_calls[i];
        psa_key_attributes_t attributes = creating_attributes();
        psa_key_id_t key = 1;

        test_context(call->name, i);
        start_fresh();
        psa_set_key_lifetime(&attributes, SE0_VOLATILE);
        psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
        if (call->begin != NULL) {
            call->begin();
        }
        chips_cut(1, false, true);
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, call->run(&attributes, &key));
        CHECK(key == PSA_KEY_ID_NULL);
        CHECK(chips_power_on());
        if (call->begin != NULL) {
            test_destroy_keys();
            call->begin();
        }
        EXPECT(PSA_SUCCESS, call->run(&attributes, &key));
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
        test_destroy_keys();
    }
}

/* The secret is in the element, and the expected value in memory. */
static void derivation__element_not_answering__verifies_nothing(void)
{
    const psa_algorithm_t alg = PSA_ALG_SP800_108_COUNTER_CMAC;
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, alg, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t secret;

    start_fresh();
    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    NEED(psa_import_key(&attributes, aes_key, sizeof aes_key, &secret));
    const psa_key_id_t expected =
        test_import(PSA_KEY_TYPE_PASSWORD_HASH, alg, PSA_KEY_USAGE_VERIFY_DERIVATION, aes_text, 32);
    NEED(psa_key_derivation_setup(&operation, alg));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    chips_cut(1, false, true);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, psa_key_derivation_verify_key(&operation, expected));
    CHECK(chips_power_on());
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_destroy_key(secret));
}

/* Its HMAC supports only SHA-256, whatever the key's policy says. */
static void derivation__hash_that_the_element_lacks__is_not_supported(void)
{
    const psa_algorithm_t alg = PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_1);
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 256, alg, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t secret;

    start_fresh();
    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    NEED(psa_import_key(&attributes, aes_text, 32, &secret));
    NEED(psa_key_derivation_setup(&operation, alg));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_destroy_key(secret));
}

static psa_status_t attach(psa_key_type_t type, psa_algorithm_t alg, uint8_t slot,
                           psa_key_id_t *key)
{
    psa_key_attributes_t attributes = test_attributes(type, 0, alg, PSA_KEY_USAGE_SIGN_MESSAGE);

    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    return psa_attach_key(&attributes, &slot, 1, key);
}

static void attach__key_that_is_in_the_element__can_be_used(void)
{
    uint8_t mac[16];
    psa_key_id_t key;
    psa_key_id_t other = 1;
    size_t length;

    start_fresh();
    EXPECT(PSA_SUCCESS, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, AES_SLOT, &key));
    EXPECT(PSA_SUCCESS, psa_mac_compute(key, PSA_ALG_CMAC, abc, 3, mac, sizeof mac, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, AES_SLOT, &other));
    CHECK(other == PSA_KEY_ID_NULL);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_SUCCESS, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, AES_SLOT, &key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void attach__what_cannot_be__is_refused(void)
{
    psa_key_id_t key = 1;

    start_fresh();
    EXPECT(PSA_ERROR_NOT_SUPPORTED, attach(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, AES_SLOT, &key));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, HMAC_SLOT, &key));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, 16, &key));
    chips_cut(1, false, true);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, AES_SLOT, &key));
    CHECK(chips_power_on());
    CHECK(key == PSA_KEY_ID_NULL);
}

static void attach__slots_all_in_use__is_said(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 0,
                        PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t key;

    start_fresh();
    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    for (unsigned i = 0; i < CORRAL_PROTECTED_KEY_SLOTS; i++) {
        NEED(psa_import_key(&attributes, p256_public, sizeof p256_public, &key));
        test_keep(key);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, attach(PSA_KEY_TYPE_AES, PSA_ALG_CMAC, AES_SLOT, &key));
}

static const struct test_case tests[] = {
    TEST(element__not_answering__is_said_by_whatever_asks_it),
    TEST(element__not_answering__creates_no_key),
    TEST(derivation__element_not_answering__verifies_nothing),
    TEST(derivation__hash_that_the_element_lacks__is_not_supported),
    TEST(attach__key_that_is_in_the_element__can_be_used),
    TEST(attach__what_cannot_be__is_refused),
    TEST(attach__slots_all_in_use__is_said),
};
TEST_SUITE(absent, tests);
