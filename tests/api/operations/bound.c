/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An operation in parts works with the one key that it was set up with. The identifier
 * of a volatile key is used again (docs/DESIGN.md); it then names another key.
 */
#include "../../harness/keyed.h"
#include "../../harness/material.h"

/* Creations after which a slot gives an identifier again. */
#define GENERATIONS 65536u

/* Keys come and go until the next one that is created in the same slot has the identifier again. */
static void let_identifiers_come_round(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    for (uint32_t i = 1; i < GENERATIONS; i++) {
        REQUIRE(psa_import_key(&attributes, abc, 3, &key) == PSA_SUCCESS);
        REQUIRE(psa_destroy_key(key) == PSA_SUCCESS);
    }
}

static void keyed_call__volatile_identifier_that_came_round__is_bad_state(void)
{
    unsigned bound = 0;

    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *const call = &keyed_calls[i];
        const psa_key_attributes_t attributes = keyed_attributes(call);
        psa_key_id_t first;
        psa_key_id_t second;

        if (!keyed_goes_on(call)) {
            continue;
        }
        test_context(call->name, i);
        NEED(keyed_create(&attributes, &first));
        NEED(call->begin(first));
        NEED(psa_destroy_key(first));
        let_identifiers_come_round();
        NEED(keyed_create(&attributes, &second));
        REQUIRE(second == first);
        EXPECT(PSA_ERROR_BAD_STATE, call->run(second));
        EXPECT(PSA_ERROR_BAD_STATE, call->run(second));
        keyed_end();
        NEED(psa_destroy_key(second));
        bound++;
    }
    CHECK(bound == 23);
}

static psa_status_t set_up(psa_pake_operation_t *operation, psa_key_id_t key)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();

    psa_pake_cs_set_algorithm(&suite, PSA_ALG_JPAKE(PSA_ALG_SHA_256));
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    psa_status_t status = psa_pake_setup(operation, key, &suite);
    if (status == PSA_SUCCESS) {
        status = psa_pake_set_user(operation, abc, 3);
    }
    return status == PSA_SUCCESS ? psa_pake_set_peer(operation, abc, 2) : status;
}

static void pake__volatile_identifier_that_came_round__is_bad_state(void)
{
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_PASSWORD, 0, PSA_ALG_JPAKE(PSA_ALG_SHA_256), PSA_KEY_USAGE_DERIVE);
    psa_pake_operation_t operation = psa_pake_operation_init();
    uint8_t *const share = test_buffer(65);
    psa_key_id_t first;
    psa_key_id_t second;
    size_t length;

    NEED(psa_import_key(&attributes, abc, 3, &first));
    NEED(set_up(&operation, first));
    NEED(psa_destroy_key(first));
    let_identifiers_come_round();
    NEED(psa_import_key(&attributes, abc, 3, &second));
    test_keep(second);
    REQUIRE(second == first);
    EXPECT(PSA_ERROR_BAD_STATE,
           psa_pake_output(&operation, PSA_PAKE_STEP_KEY_SHARE, share, 65, &length));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
    /* The key itself is as good as any. */
    EXPECT(PSA_SUCCESS, set_up(&operation, second));
    EXPECT(PSA_SUCCESS, psa_pake_output(&operation, PSA_PAKE_STEP_KEY_SHARE, share, 65, &length));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static const struct test_case tests[] = {
    TEST(keyed_call__volatile_identifier_that_came_round__is_bad_state),
    TEST(pake__volatile_identifier_that_came_round__is_bad_state),
};
TEST_SUITE(bound, tests);
