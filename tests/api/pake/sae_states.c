/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs to the setup of WPA3-SAE, and the steps that end it. */
#include "../../harness/entropy.h"
#include "sae_test.h"

static void set_user_and_peer__no_address__are_refused(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    const size_t lengths[] = {0, 1, 5, 7, 8, 12};

    for (size_t i = 0; i < 2 * sizeof lengths / sizeof lengths[0]; i++) {
        const size_t length = lengths[i / 2];
        psa_pake_operation_t operation = sae_bare(key, &FIXED_ON_P256);
        uint8_t *const address = test_buffer(length);

        test_context("length", length);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, i % 2 == 0
                                               ? psa_pake_set_user(&operation, address, length)
                                               : psa_pake_set_peer(&operation, address, length));
        check_failed(&operation, key, &suite);
    }
}

static void set_user_and_peer__the_same__are_refused(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    psa_pake_operation_t operation = sae_bare(key, &FIXED_ON_P256);
    NEED(psa_pake_set_user(&operation, sae_macs[0], MAC_SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_set_peer(&operation, sae_macs[0], MAC_SIZE));
    check_failed(&operation, key, &suite);
    operation = sae_bare(key, &FIXED_ON_P256);
    NEED(psa_pake_set_peer(&operation, sae_macs[0], MAC_SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_set_user(&operation, sae_macs[0], MAC_SIZE));
    check_failed(&operation, key, &suite);
}

static void refuse_setup(psa_status_t wanted, psa_key_id_t key, psa_algorithm_t alg,
                         psa_pake_primitive_t primitive)
{
    const psa_pake_cipher_suite_t suite = suite_of(alg, primitive, PSA_PAKE_CONFIRMED_KEY);
    psa_pake_operation_t operation = psa_pake_operation_init();

    EXPECT(wanted, psa_pake_setup(&operation, key, &suite));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
}

static void setup__hash_or_group_of_another__is_refused(void)
{
    const psa_algorithm_t fixed_384 = PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_384);
    const psa_key_id_t token = sae_token(ANY);
    const psa_key_id_t password = sae_password(ANY, "a password");

    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, fixed_384, CURVE(256u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, PSA_ALG_WPA3_SAE_GDH(PSA_ALG_SHA_512),
                 CURVE(256u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, fixed_384, CURVE(384u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, FIXED, CURVE(384u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, FIXED, CURVE(521u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, password, GDH, CURVE(256u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, password, fixed_384, CURVE(384u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, password, fixed_384, CURVE(256u));
}

static void setup__suite_that_is_none__is_refused(void)
{
    const psa_key_id_t token = sae_token(ANY);
    psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    psa_pake_operation_t operation = psa_pake_operation_init();

    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, ANY, CURVE(256u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_ANY_HASH),
                 CURVE(256u));
    refuse_setup(PSA_ERROR_INVALID_ARGUMENT, token, H2E, CURVE(256u));
    refuse_setup(PSA_ERROR_NOT_SUPPORTED, token, FIXED, 0);
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_setup(&operation, token, &suite));
    psa_pake_cs_set_key_confirmation(&suite, 2);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_setup(&operation, token, &suite));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
}

static void output__no_entropy__is_said_and_nothing_comes_out(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (unsigned i = 0; i < 2; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        uint8_t commit[COMMIT_SIZE] = {1};
        size_t length = 1;

        if (i == 1) {
            pass(&second, &first, COMMIT);
        }
        test_entropy_mode(TEST_ENTROPY_ABSENT);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
               psa_pake_output(&first, COMMIT, commit, sizeof commit, &length));
        test_entropy_mode(TEST_ENTROPY_GOOD);
        CHECK(length == 0 && test_all(commit, sizeof commit, 0));
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
}

/* Where a side has a counter, which comes before the key goes; step 0 is the end. */
static void every_step__key_destroyed__is_bad_state(void)
{
    static const struct {
        enum sae_stage stage;
        psa_pake_step_t step;
        bool is_output;
    } rows[] = {{SAE_NOTHING, COMMIT, true},          {SAE_NOTHING, COMMIT, false},
                {SAE_FIRST_COMMITTED, COMMIT, false}, {SAE_BOTH_COMMITTED, SALT, false},
                {SAE_SALTED, COUNT, false},           {SAE_SALTED, CONFIRM, true},
                {SAE_SALTED, CONFIRM, false},         {SAE_SECOND_CONFIRMED, CONFIRM, true},
                {SAE_SECOND_CONFIRMED, KEY_ID, true}, {SAE_SECOND_CONFIRMED, 0, true}};
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 0, 0, 0);
    const psa_key_id_t another = sae_token(FIXED);

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_id_t key = sae_token(FIXED);
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(another, &FIXED_ON_P256, 1);
        uint8_t value[COMMIT_SIZE] = {1};
        size_t length;
        psa_key_id_t made;

        test_context("row", i);
        sae_run(&first, &second, rows[i].stage);
        if (rows[i].stage >= SAE_SALTED) {
            NEED(psa_pake_input(&first, COUNT, value, 2));
        }
        NEED(psa_destroy_key(key));
        EXPECT(PSA_ERROR_BAD_STATE,
               rows[i].step == 0 ? psa_pake_get_shared_key(&first, &attributes, &made)
               : rows[i].is_output
                   ? psa_pake_output(&first, rows[i].step, value, sizeof value, &length)
                   : psa_pake_input(&first, rows[i].step, value,
                                    rows[i].step == CONFIRM  ? CONFIRM_SIZE
                                    : rows[i].step == COMMIT ? COMMIT_SIZE
                                                             : 2));
        check_failed(&first, another, &suite);
        sae_end(&first, &second);
    }
}

static void get_shared_key__that_the_secret_cannot_be__is_refused(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
    } rows[] = {
        {PSA_KEY_TYPE_NONE, 0},     {PSA_KEY_TYPE_PASSWORD, 0},
        {PSA_KEY_TYPE_RAW_DATA, 0}, {PSA_KEY_TYPE_DERIVE, 128},
        {PSA_KEY_TYPE_AES, 128},    {PSA_KEY_TYPE_HMAC, 512},
        {TOKEN_TYPE, 256},          {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256}};
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_attributes_t attributes =
            test_attributes(rows[i].type, rows[i].bits, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE);
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        psa_key_id_t made = 1;

        test_context("row", i);
        sae_run(&first, &second, SAE_SECOND_CONFIRMED);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_get_shared_key(&first, &attributes, &made));
        CHECK(made == PSA_KEY_ID_NULL);
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
}

static const struct test_case tests[] = {
    TEST(set_user_and_peer__no_address__are_refused),
    TEST(set_user_and_peer__the_same__are_refused),
    TEST(setup__hash_or_group_of_another__is_refused),
    TEST(setup__suite_that_is_none__is_refused),
    TEST(output__no_entropy__is_said_and_nothing_comes_out),
    TEST(every_step__key_destroyed__is_bad_state),
    TEST(get_shared_key__that_the_secret_cannot_be__is_refused),
};

TEST_SUITE(sae_states, tests);
