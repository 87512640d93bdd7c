/* SPDX-License-Identifier: Apache-2.0 */
/* Passwords and tokens of WPA3-SAE: their policies, and how tokens are made. */
#include "sae_test.h"

#define FIXED_384 PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_384)
#define GDH_384 PSA_ALG_WPA3_SAE_GDH(PSA_ALG_SHA_384)
#define H2E_384 PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_384)

static psa_status_t set_up(psa_key_id_t key, psa_algorithm_t alg, psa_pake_primitive_t primitive)
{
    const psa_pake_cipher_suite_t suite = suite_of(alg, primitive, PSA_PAKE_CONFIRMED_KEY);
    psa_pake_operation_t operation = psa_pake_operation_init();

    const psa_status_t status = psa_pake_setup(&operation, key, &suite);
    CHECK(status == PSA_SUCCESS || test_all((const uint8_t *)&operation, sizeof operation, 0));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
    return status;
}

/* Salt and password, and no more: the status of the latter. */
static psa_status_t give_password(psa_key_derivation_operation_t *derivation, psa_key_id_t password,
                                  psa_algorithm_t alg)
{
    NEED(psa_key_derivation_setup(derivation, alg));
    NEED(psa_key_derivation_input_bytes(derivation, PSA_KEY_DERIVATION_INPUT_SALT, NAME("net")));
    return psa_key_derivation_input_key(derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password);
}

static psa_status_t derive_by(psa_key_id_t password, psa_algorithm_t alg)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    const psa_status_t status = give_password(&derivation, password, alg);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
    return status;
}

/* By PBKDF2, which has the same step. */
static psa_status_t stretch(psa_key_id_t password)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    NEED(psa_key_derivation_setup(&derivation, PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)));
    NEED(psa_key_derivation_input_integer(&derivation, PSA_KEY_DERIVATION_INPUT_COST, 1));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_SALT, NAME("net")));
    const psa_status_t status =
        psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
    return status;
}

static void password__policy_for_one_algorithm__permits_that_one(void)
{
    const psa_key_id_t fixed = sae_password(FIXED, "a password");
    const psa_key_id_t element = sae_password(H2E, "a password");

    EXPECT(PSA_SUCCESS, set_up(fixed, FIXED, CURVE(256u)));
    EXPECT(PSA_SUCCESS, set_up(fixed, FIXED, CURVE(521u)));
    EXPECT(PSA_ERROR_NOT_PERMITTED, derive_by(fixed, H2E));
    EXPECT(PSA_SUCCESS, derive_by(element, H2E));
    EXPECT(PSA_ERROR_NOT_PERMITTED, derive_by(element, H2E_384));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(element, FIXED, CURVE(256u)));
}

static void password__policy_for_any__permits_looping_and_every_derivation(void)
{
    const psa_key_id_t any = sae_password(ANY, "a password");

    EXPECT(PSA_SUCCESS, set_up(any, FIXED, CURVE(256u)));
    EXPECT(PSA_SUCCESS, set_up(any, FIXED, CURVE(384u)));
    EXPECT(PSA_SUCCESS, derive_by(any, H2E));
    EXPECT(PSA_SUCCESS, derive_by(any, H2E_384));
    EXPECT(PSA_SUCCESS, derive_by(any, PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_512)));
    EXPECT(PSA_ERROR_NOT_PERMITTED, stretch(any));
}

static void password__derivation_with_any_hash__permits_each_and_no_exchange(void)
{
    const psa_key_id_t any = sae_password(PSA_ALG_WPA3_SAE_H2E(PSA_ALG_ANY_HASH), "a password");

    EXPECT(PSA_SUCCESS, derive_by(any, H2E));
    EXPECT(PSA_SUCCESS, derive_by(any, H2E_384));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(any, FIXED, CURVE(256u)));
}

static void token__policy__permits_what_it_says(void)
{
    const psa_key_id_t fixed = sae_token(FIXED);
    const psa_key_id_t dependent = sae_token(GDH);
    const psa_key_id_t any = sae_token(ANY);

    EXPECT(PSA_SUCCESS, set_up(fixed, FIXED, CURVE(256u)));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(fixed, GDH, CURVE(256u)));
    EXPECT(PSA_SUCCESS, set_up(dependent, GDH, CURVE(256u)));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(dependent, FIXED, CURVE(256u)));
    EXPECT(PSA_SUCCESS, set_up(any, FIXED, CURVE(256u)));
    EXPECT(PSA_SUCCESS, set_up(any, GDH, CURVE(256u)));
}

static void setup__key_of_another_kind_or_policy__is_refused(void)
{
    const uint8_t data[32] = {1};
    const psa_key_id_t others[] = {
        sae_token(PSA_ALG_NONE), sae_token(PSA_ALG_JPAKE(PSA_ALG_SHA_256)),
        sae_password(PSA_ALG_JPAKE(PSA_ALG_SHA_256), "a password"),
        test_import(TOKEN_TYPE, FIXED, PSA_KEY_USAGE_EXPORT, sae_tokens[0].token.data, TOKEN_SIZE),
        test_import(PSA_KEY_TYPE_PASSWORD, FIXED, 0, data, 32)};
    const psa_key_type_t types[] = {PSA_KEY_TYPE_DERIVE, PSA_KEY_TYPE_RAW_DATA,
                                    PSA_KEY_TYPE_PASSWORD_HASH};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        test_context("key", i);
        EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(others[i], FIXED, CURVE(256u)));
    }
    test_destroy_keys();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        test_context("type", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               set_up(test_import(types[i], FIXED, PSA_KEY_USAGE_DERIVE, data, 32), FIXED,
                      CURVE(256u)));
    }
    EXPECT(PSA_ERROR_INVALID_HANDLE, set_up(PSA_KEY_ID_NULL, FIXED, CURVE(256u)));
}

static void check_key_usage__of_passwords_and_tokens__is_as_setup_says(void)
{
    const psa_key_id_t token = sae_token(ANY);
    const psa_key_id_t password = sae_password(ANY, "a password");

    EXPECT(PSA_SUCCESS, psa_check_key_usage(token, FIXED, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(token, GDH, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(password, H2E, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(password, FIXED, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_check_key_usage(password, GDH, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_check_key_usage(password, PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_384),
                               PSA_KEY_USAGE_DERIVE));
    EXPECT(
        PSA_ERROR_INVALID_ARGUMENT,
        psa_check_key_usage(token, PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_384), PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(sae_token(FIXED), GDH, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(sae_password(H2E, "a password"), FIXED, PSA_KEY_USAGE_DERIVE));
}

static void import_key__no_token__is_refused(void)
{
    static const size_t lengths[] = {0, 1, 32, 63, 65, 66};
    uint8_t data[TOKEN_SIZE + 2];
    psa_key_attributes_t attributes = test_attributes(TOKEN_TYPE, 0, FIXED, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    memcpy(data, sae_tokens[0].token.data, TOKEN_SIZE);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        test_context("length", lengths[i]);
        EXPECT_REFUSED(psa_import_key(&attributes, test_copy(data, lengths[i]), lengths[i], &key));
        CHECK(key == PSA_KEY_ID_NULL);
    }
    data[TOKEN_SIZE - 1] ^= 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, TOKEN_SIZE, &key));
    memset(data, 0, TOKEN_SIZE);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, TOKEN_SIZE, &key));
    psa_set_key_bits(&attributes, 384);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_import_key(&attributes, sae_tokens[0].token.data, TOKEN_SIZE, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

static void token__export__is_two_coordinates_and_needs_permission(void)
{
    const psa_key_id_t token = sae_token(FIXED);
    uint8_t data[TOKEN_SIZE];
    size_t length;

    NEED(psa_export_key(token, data, sizeof data, &length));
    CHECK_BYTES(data, length, sae_tokens[0].token.data, TOKEN_SIZE);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_export_key(token, data, TOKEN_SIZE - 1, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_export_public_key(token, data, sizeof data, &length));
    const psa_key_id_t kept =
        test_import(TOKEN_TYPE, FIXED, PSA_KEY_USAGE_DERIVE, sae_tokens[0].token.data, TOKEN_SIZE);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(kept, data, sizeof data, &length));
}

static void copy_key__token__keeps_what_both_policies_permit(void)
{
    const psa_key_id_t token =
        test_import(TOKEN_TYPE, ANY, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_COPY,
                    sae_tokens[0].token.data, TOKEN_SIZE);
    const psa_key_attributes_t attributes =
        test_attributes(TOKEN_TYPE, 256, GDH, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t copy;

    NEED(psa_copy_key(token, &attributes, &copy));
    (void)test_keep(copy);
    EXPECT(PSA_SUCCESS, set_up(copy, GDH, CURVE(256u)));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(copy, FIXED, CURVE(256u)));
}

static void generate_key__token__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(TOKEN_TYPE, 256, FIXED, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT_REFUSED(psa_generate_key(&attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

/* Steps of a derivation, by letters: s(alt), p(assword), i(nfo). */
static psa_status_t give(psa_key_derivation_operation_t *derivation, char letter,
                         psa_key_id_t password)
{
    switch (letter) {
    case 's':
        return psa_key_derivation_input_bytes(derivation, PSA_KEY_DERIVATION_INPUT_SALT,
                                              NAME("network"));
    case 'p':
        return psa_key_derivation_input_key(derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD,
                                            password);
    default:
        return psa_key_derivation_input_bytes(derivation, PSA_KEY_DERIVATION_INPUT_INFO,
                                              NAME("identifier"));
    }
}

static psa_status_t output_token(psa_key_derivation_operation_t *derivation, psa_key_type_t type,
                                 size_t bits)
{
    const psa_key_attributes_t attributes = test_attributes(type, bits, 0, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    const psa_status_t status = psa_key_derivation_output_key(&attributes, derivation, &key);
    CHECK((status == PSA_SUCCESS) == (key != PSA_KEY_ID_NULL));
    return status == PSA_SUCCESS ? psa_destroy_key(key) : status;
}

/* In the error state nothing but abort works. */
static void check_dead(psa_key_derivation_operation_t *derivation, psa_key_id_t password)
{
    EXPECT(PSA_ERROR_BAD_STATE, give(derivation, 's', password));
    EXPECT(PSA_ERROR_BAD_STATE, output_token(derivation, TOKEN_TYPE, 256));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(derivation));
    CHECK(test_all((const uint8_t *)derivation, sizeof *derivation, 0));
}

/* Which order is one: k is the token. The last letter is the one that is refused. */
static void derivation__steps_out_of_order__are_bad_state(void)
{
    static const char *const orders[] = {"p",   "i",   "k",    "ss",   "si",  "sk",
                                         "spp", "sps", "spip", "spii", "spis"};
    const psa_key_id_t password = sae_password(ANY, "a password");

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();
        const char *letter = orders[i];

        test_context(orders[i], i);
        NEED(psa_key_derivation_setup(&derivation, H2E));
        for (; letter[1] != 0; letter++) {
            NEED(give(&derivation, *letter, password));
        }
        EXPECT(PSA_ERROR_BAD_STATE, *letter == 'k' ? output_token(&derivation, TOKEN_TYPE, 256)
                                                   : give(&derivation, *letter, password));
        check_dead(&derivation, password);
    }
}

static void derivation__inputs_of_others__are_invalid(void)
{
    const psa_key_id_t password = sae_password(ANY, "a password");
    const psa_key_derivation_step_t steps[] = {
        PSA_KEY_DERIVATION_INPUT_SECRET, PSA_KEY_DERIVATION_INPUT_LABEL,
        PSA_KEY_DERIVATION_INPUT_SEED, PSA_KEY_DERIVATION_INPUT_CONTEXT};

    for (size_t i = 0; i <= sizeof steps / sizeof steps[0]; i++) {
        psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

        test_context("step", i);
        NEED(psa_key_derivation_setup(&derivation, H2E));
        EXPECT(
            PSA_ERROR_INVALID_ARGUMENT,
            i < sizeof steps / sizeof steps[0]
                ? psa_key_derivation_input_bytes(&derivation, steps[i], NAME("text"))
                : psa_key_derivation_input_integer(&derivation, PSA_KEY_DERIVATION_INPUT_COST, 1));
        check_dead(&derivation, password);
    }
}

static void setup_derivation__hash_that_is_none__is_refused(void)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    EXPECT_REFUSED(psa_key_derivation_setup(&derivation, PSA_ALG_WPA3_SAE_H2E(PSA_ALG_ANY_HASH)));
    EXPECT_REFUSED(psa_key_derivation_setup(&derivation, ANY));
    EXPECT_REFUSED(psa_key_derivation_setup(&derivation, PSA_ALG_WPA3_SAE_H2E(PSA_ALG_MD5)));
    CHECK(test_all((const uint8_t *)&derivation, sizeof derivation, 0));
}

/* Ready for a token on P-256. */
static psa_key_derivation_operation_t ready(psa_key_id_t password)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    NEED(give_password(&derivation, password, H2E));
    return derivation;
}

static void output_key__what_is_no_token_of_the_hash__is_refused(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
    } rows[] = {{PSA_KEY_TYPE_DERIVE, 256},
                {PSA_KEY_TYPE_AES, 128},
                {PSA_KEY_TYPE_HMAC, 256},
                {PSA_KEY_TYPE_PASSWORD, 256},
                {PSA_KEY_TYPE_RAW_DATA, 512},
                {TOKEN_TYPE, 384},
                {TOKEN_TYPE, 521},
                {TOKEN_TYPE, 0}};
    const psa_key_id_t password = sae_password(ANY, "a password");

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t derivation = ready(password);

        test_context("row", i);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, output_token(&derivation, rows[i].type, rows[i].bits));
        check_dead(&derivation, password);
    }
}

/* A curve without such tokens is not told from one that the build lacks. */
static void output_key__group_without_tokens__is_refused(void)
{
    static const psa_ecc_family_t families[] = {PSA_ECC_FAMILY_SECP_K1, PSA_ECC_FAMILY_MONTGOMERY,
                                                PSA_ECC_FAMILY_BRAINPOOL_P_R1};
    const psa_key_id_t password = sae_password(ANY, "a password");

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        psa_key_derivation_operation_t derivation = ready(password);

        test_context("family", families[i]);
        EXPECT_REFUSED(output_token(&derivation, PSA_KEY_TYPE_WPA3_SAE_ECC(families[i]), 256));
        check_dead(&derivation, password);
    }
}

static void output_bytes_and_verify__token__are_invalid(void)
{
    const psa_key_id_t password = sae_password(ANY, "a password");
    uint8_t data[TOKEN_SIZE] = {0};

    for (unsigned i = 0; i < 2; i++) {
        psa_key_derivation_operation_t derivation = ready(password);

        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               i == 0 ? psa_key_derivation_output_bytes(&derivation, data, sizeof data)
                      : psa_key_derivation_verify_bytes(&derivation, data, sizeof data));
        CHECK(test_all(data, sizeof data, 0));
        check_dead(&derivation, password);
    }
}

static void output_key__second_token__is_refused(void)
{
    const psa_key_id_t password = sae_password(ANY, "a password");
    psa_key_derivation_operation_t derivation = ready(password);

    EXPECT(PSA_SUCCESS, output_token(&derivation, TOKEN_TYPE, 256));
    EXPECT(PSA_ERROR_INSUFFICIENT_DATA, output_token(&derivation, TOKEN_TYPE, 256));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
}

static void output_key__token_for_another_hash_than_the_policy__is_made_but_of_no_use(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(TOKEN_TYPE, 256, FIXED_384, PSA_KEY_USAGE_DERIVE);
    const psa_key_id_t password = sae_password(ANY, "a password");
    psa_key_derivation_operation_t derivation = ready(password);
    psa_key_id_t key;

    NEED(psa_key_derivation_output_key(&attributes, &derivation, &key));
    (void)test_keep(key);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
    EXPECT(PSA_ERROR_NOT_PERMITTED, set_up(key, FIXED, CURVE(256u)));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, set_up(key, FIXED_384, CURVE(256u)));
}

/* A password that is no key makes no key: as with every derivation. */
static void output_key__password_given_as_bytes__is_not_permitted(void)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    NEED(psa_key_derivation_setup(&derivation, H2E));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_SALT, NAME("net")));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD,
                                        NAME("a password")));
    EXPECT(PSA_ERROR_NOT_PERMITTED, output_token(&derivation, TOKEN_TYPE, 256));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
}

static void input_key__that_is_no_password_or_may_not_derive__is_refused(void)
{
    const uint8_t data[16] = {1};
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           give_password(&derivation,
                         test_import(PSA_KEY_TYPE_RAW_DATA, H2E, PSA_KEY_USAGE_DERIVE, data, 16),
                         H2E));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           give_password(&derivation, test_import(PSA_KEY_TYPE_PASSWORD, H2E, 0, data, 16), H2E));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
}

static void import_key__password_of_no_bytes__is_refused(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_PASSWORD, 0, ANY, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key = 1;

    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, NULL, 0, &key));
    CHECK(key == PSA_KEY_ID_NULL);
}

/* An identifier of no bytes is none. */
static void derivation__empty_identifier__is_as_if_left_out(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(TOKEN_TYPE, 256, FIXED, PSA_KEY_USAGE_EXPORT);
    const psa_key_id_t password = sae_password(ANY, "a password");
    uint8_t data[2][TOKEN_SIZE];
    size_t length;

    for (unsigned i = 0; i < 2; i++) {
        psa_key_derivation_operation_t derivation = ready(password);
        psa_key_id_t key;

        if (i == 1) {
            NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO, NULL,
                                                0));
        }
        NEED(psa_key_derivation_output_key(&attributes, &derivation, &key));
        (void)test_keep(key);
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
        NEED(psa_export_key(key, data[i], TOKEN_SIZE, &length));
    }
    CHECK_BYTES(data[1], TOKEN_SIZE, data[0], TOKEN_SIZE);
}

static void output_key__password_destroyed__is_bad_state_or_from_the_copy(void)
{
    const psa_key_id_t password = sae_password(ANY, "a password");
    psa_key_derivation_operation_t derivation = ready(password);

    NEED(psa_destroy_key(password));
    EXPECT(CORRAL_LENIENT_DESTROY ? PSA_SUCCESS : PSA_ERROR_BAD_STATE,
           output_token(&derivation, TOKEN_TYPE, 256));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&derivation));
}

static const struct test_case tests[] = {
    TEST(password__policy_for_one_algorithm__permits_that_one),
    TEST(password__policy_for_any__permits_looping_and_every_derivation),
    TEST(password__derivation_with_any_hash__permits_each_and_no_exchange),
    TEST(token__policy__permits_what_it_says),
    TEST(setup__key_of_another_kind_or_policy__is_refused),
    TEST(check_key_usage__of_passwords_and_tokens__is_as_setup_says),
    TEST(import_key__no_token__is_refused),
    TEST(token__export__is_two_coordinates_and_needs_permission),
    TEST(copy_key__token__keeps_what_both_policies_permit),
    TEST(generate_key__token__is_refused),
    TEST(derivation__steps_out_of_order__are_bad_state),
    TEST(derivation__inputs_of_others__are_invalid),
    TEST(setup_derivation__hash_that_is_none__is_refused),
    TEST(output_key__what_is_no_token_of_the_hash__is_refused),
    TEST(output_key__group_without_tokens__is_refused),
    TEST(output_bytes_and_verify__token__are_invalid),
    TEST(output_key__second_token__is_refused),
    TEST(output_key__token_for_another_hash_than_the_policy__is_made_but_of_no_use),
    TEST(output_key__password_given_as_bytes__is_not_permitted),
    TEST(input_key__that_is_no_password_or_may_not_derive__is_refused),
    TEST(import_key__password_of_no_bytes__is_refused),
    TEST(derivation__empty_identifier__is_as_if_left_out),
    TEST(output_key__password_destroyed__is_bad_state_or_from_the_copy),
};

TEST_SUITE(sae_keys, tests);
