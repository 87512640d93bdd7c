/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An element that hashes and gives random numbers for all, and does not answer: functions that need
 * it without a key of it report that.
 */
#include <corral/locations.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../../persistent_elements/chips.h"

#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define SE0                                                                                        \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE,                   \
                                                   CORRAL_LOCATION_SE0)

static psa_hash_operation_t hash;
static psa_hash_operation_t second;
static psa_sign_operation_t signing;
static psa_verify_operation_t verifying;
static psa_key_id_t pair;
static uint8_t out[64];
static size_t length;

TEST_CALL(hash_compute, psa_hash_compute(PSA_ALG_SHA_256, aes_text, 64, out, sizeof out, &length));
TEST_CALL(hash_compare, psa_hash_compare(PSA_ALG_SHA_256, abc, 3, sha256_abc, 32));
TEST_CALL(hash_setup, psa_hash_setup(&hash, PSA_ALG_SHA_256));
TEST_CALL(hash_update, psa_hash_update(&hash, aes_text, 64));
TEST_CALL(hash_finish, psa_hash_finish(&hash, out, sizeof out, &length));
TEST_CALL(hash_verify, psa_hash_verify(&hash, sha256_abc, 32));
TEST_CALL(hash_clone, psa_hash_clone(&hash, &second));
TEST_CALL(hash_abort, psa_hash_abort(&hash));
TEST_CALL(sign_setup, psa_sign_setup(&signing, pair, ECDSA));
TEST_CALL(sign_update, psa_sign_update(&signing, aes_text, 64));
TEST_CALL(verify_setup, psa_verify_setup(&verifying, pair, ECDSA, p256_signature, 64));
TEST_CALL(verify_update, psa_verify_update(&verifying, aes_text, 64));
TEST_CALL(random, psa_generate_random(out, 32));

static psa_status_t hash_begin(void)
{
    const psa_status_t status = hash_setup();

    return status == PSA_SUCCESS ? psa_hash_update(&hash, abc, 3) : status;
}

static const struct call {
    const char *name;
    psa_status_t (*begin)(void);
    psa_status_t (*run)(void);
    bool asks; /* the element */
} calls[] = {
    {"hash_compute", NULL, hash_compute, true},
    {"hash_compare", NULL, hash_compare, true},
    {"hash_setup", NULL, hash_setup, false},
    {"hash_update", hash_setup, hash_update, true},
    {"hash_finish", hash_begin, hash_finish, true},
    {"hash_verify", hash_begin, hash_verify, true},
    {"hash_clone", hash_begin, hash_clone, false},
    {"hash_abort", hash_begin, hash_abort, false},
    {"sign_setup", NULL, sign_setup, false},
    {"sign_update", sign_setup, sign_update, true},
    {"verify_setup", NULL, verify_setup, false},
    {"verify_update", verify_setup, verify_update, true},
    {"generate_random", NULL, random, true},
};

static void end(void)
{
    EXPECT(PSA_SUCCESS, psa_hash_abort(&hash));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&second));
    EXPECT(PSA_SUCCESS, psa_sign_abort(&signing));
    EXPECT(PSA_SUCCESS, psa_verify_abort(&verifying));
}

static void element__not_answering__is_said_by_whatever_asks_it(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA,
                        PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);

    psa_set_key_lifetime(&attributes, SE0);
    NEED(psa_generate_key(&attributes, &pair));
    test_keep(pair);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct call *call = &calls[i];

        test_context(call->name, i);
        NEED(call->begin != NULL ? call->begin() : PSA_SUCCESS);
        EXPECT(PSA_SUCCESS, call->run());
        end();
        NEED(call->begin != NULL ? call->begin() : PSA_SUCCESS);
        chips_cut(1, false, true);
        const psa_status_t status = call->run();
        CHECK(chips_power_on() == call->asks);
        EXPECT(call->asks ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_SUCCESS, status);
        end();
    }
}

static const struct test_case tests[] = {
    TEST(element__not_answering__is_said_by_whatever_asks_it),
};

static TEST_SUITE(keyless, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_keyless};

    chips_prepare();
    return test_initialise_and_run(suites, 1);
}
