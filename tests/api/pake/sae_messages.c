/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that WPA3-SAE rejects, and sides that do not agree. */
#include "sae_test.h"

/* A forged commit is refused at once, or when both are there: before anything is confirmed. */
static void take_forgery(const struct sae_forgery *row, bool is_first)
{
    const struct sae_kind kind = {row->alg, row->key.primitive};
    const psa_pake_cipher_suite_t suite = sae_suite(&kind);
    const psa_key_id_t key = sae_key_of(&row->key, row->alg);
    psa_pake_operation_t operation = sae_named(key, &kind, row->macs[0].data, row->macs[1].data);
    uint8_t *const mine = test_buffer(row->commit.length);
    size_t length;
    psa_status_t status = PSA_SUCCESS;

    if (!is_first) {
        NEED(psa_pake_output(&operation, COMMIT, mine, row->commit.length, &length));
    }
    status = psa_pake_input(&operation, COMMIT, test_copy(row->commit.data, row->commit.length),
                            row->commit.length);
    if (status == PSA_SUCCESS && is_first) {
        status = psa_pake_output(&operation, COMMIT, mine, row->commit.length, &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_pake_input(&operation, SALT, NULL, 0);
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
    check_failed(&operation, key, &suite);
}

static void input__forged_commit__is_invalid(void)
{
    for (unsigned i = 0; i < sae_forgery_count; i++) {
        const struct sae_forgery *const row = &sae_forgeries[i];

        if (STRIDE > 1 && row->key.primitive != CURVE(256u)) {
            continue;
        }
        test_context(row->key.source, i);
        /* Exponents of thousands of bits take seconds: each forgery in one field, by turns. */
        const bool is_field =
            PSA_PAKE_PRIMITIVE_GET_TYPE(row->key.primitive) == PSA_PAKE_PRIMITIVE_TYPE_DH;
        if (is_field && i % 2 != row->key.bits / 1024 % 2) {
            continue;
        }
        if (!is_field || i / 2 % 2 == 0) {
            take_forgery(row, false);
        }
        if (!is_field || i / 2 % 2 == 1) {
            take_forgery(row, true);
        }
        test_destroy_keys();
        test_free_buffers();
    }
}

static void input__value_of_wrong_length__is_refused(void)
{
    static const struct {
        enum sae_stage stage;
        psa_pake_step_t step;
        size_t length;
        psa_status_t status;
    } rows[] = {{SAE_NOTHING, COMMIT, 0, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 1, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 32, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 64, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 95, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 97, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_NOTHING, COMMIT, 144, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_BOTH_COMMITTED, SALT, 65, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_SALTED, COUNT, 0, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_SALTED, COUNT, 1, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_SALTED, COUNT, 3, PSA_ERROR_INVALID_ARGUMENT},
                {SAE_SALTED, CONFIRM, 0, PSA_ERROR_INVALID_SIGNATURE},
                {SAE_SALTED, CONFIRM, 2, PSA_ERROR_INVALID_SIGNATURE},
                {SAE_SALTED, CONFIRM, 33, PSA_ERROR_INVALID_SIGNATURE},
                {SAE_SALTED, CONFIRM, 35, PSA_ERROR_INVALID_SIGNATURE}};
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        uint8_t *const value = test_buffer(rows[i].length);

        test_context("row", i);
        sae_run(&first, &second, rows[i].stage);
        EXPECT(rows[i].status, psa_pake_input(&first, rows[i].step, value, rows[i].length));
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
}

/* One's own message comes back. */
static void input__own_commit__is_invalid(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);
    uint8_t commit[COMMIT_SIZE];
    size_t length;

    NEED(psa_pake_output(&operation, COMMIT, commit, sizeof commit, &length));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_input(&operation, COMMIT, commit, length));
    check_failed(&operation, key, &suite);
}

static void input__own_confirmation__is_an_invalid_signature(void)
{
    static const uint8_t count[2] = {1, 0};
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    struct sae_pair pair;
    uint8_t value[CONFIRM_SIZE];
    size_t length;

    sae_begin(&pair, key, SAE_SALTED);
    NEED(psa_pake_input(&pair.first, COUNT, count, sizeof count));
    NEED(psa_pake_output(&pair.first, CONFIRM, value, sizeof value, &length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&pair.first, CONFIRM, value, length));
    check_failed(&pair.first, key, &suite);
    sae_end(&pair.first, &pair.second);
}

/* The count, the first and the last byte; also after a confirmation that was good. */
static void input__changed_confirmation__is_an_invalid_signature(void)
{
    static const uint8_t count[2] = {1, 0};
    static const size_t positions[] = {0, 1, 2, CONFIRM_SIZE - 1};
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (unsigned i = 0; i < 8; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        uint8_t value[CONFIRM_SIZE];
        size_t length;

        test_context("change", i);
        sae_run(&first, &second, i < 4 ? SAE_SALTED : SAE_SECOND_CONFIRMED);
        NEED(psa_pake_input(&second, COUNT, count, sizeof count));
        NEED(psa_pake_output(&second, CONFIRM, value, sizeof value, &length));
        value[positions[i % 4]] ^= i < 4 ? 0x80 : 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&first, CONFIRM, value, length));
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
}

static void input__changed_commit__confirmation_fails(void)
{
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
    psa_pake_operation_t stranger = sae_side(key, &FIXED_ON_P256, 1);
    uint8_t commit[COMMIT_SIZE];
    uint8_t other[COMMIT_SIZE];
    uint8_t value[CONFIRM_SIZE];
    size_t length;

    pass(&first, &second, COMMIT);
    NEED(psa_pake_output(&second, COMMIT, commit, sizeof commit, &length));
    NEED(psa_pake_output(&stranger, COMMIT, other, sizeof other, &length));
    memcpy(commit, other, 32); /* the scalar of another exchange is as good as any */
    NEED(psa_pake_input(&first, COMMIT, commit, sizeof commit));
    NEED(psa_pake_input(&first, SALT, NULL, 0));
    NEED(psa_pake_input(&second, SALT, NULL, 0));
    NEED(psa_pake_input(&second, COUNT, (const uint8_t[]){1, 0}, 2));
    NEED(psa_pake_output(&second, CONFIRM, value, sizeof value, &length));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_pake_input(&first, CONFIRM, value, length));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&stranger));
    sae_end(&first, &second);
}

/* A side with any difference learns it from a confirmation, in either direction. */
static void expect_mismatch(psa_pake_operation_t *first, psa_pake_operation_t *second,
                            size_t salt_length)
{
    static const uint8_t salt[4] = {19, 0, 20, 0};
    psa_pake_operation_t *const sides[2] = {first, second};
    uint8_t values[2][MAX_CONFIRM];
    size_t lengths[2];

    sae_run(first, second, SAE_BOTH_COMMITTED);
    NEED(psa_pake_input(first, SALT, NULL, 0));
    NEED(psa_pake_input(second, SALT, salt, salt_length));
    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_pake_input(sides[i], COUNT, (const uint8_t[]){1, 0}, 2));
        NEED(psa_pake_output(sides[i], CONFIRM, values[i], MAX_CONFIRM, &lengths[i]));
    }
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_pake_input(sides[i], CONFIRM, values[1 - i], lengths[1 - i]));
    }
    sae_end(first, second);
}

static psa_key_id_t token_for(const char *ssid, const char *password, const char *identifier)
{
    const struct sae_token row = {"",
                                  CURVE(256u),
                                  TOKEN_TYPE,
                                  256,
                                  {strlen(ssid), (const uint8_t *)ssid},
                                  {strlen(password), (const uint8_t *)password},
                                  {strlen(identifier), (const uint8_t *)identifier},
                                  {0, NULL}};

    return sae_token_of(&row, PSA_ALG_SHA_256, FIXED);
}

static void exchange__other_token__confirmation_fails(void)
{
    const psa_key_id_t key = token_for("network", "password", "name");
    const psa_key_id_t others[] = {
        token_for("network", "passworD", "name"), token_for("networK", "password", "name"),
        token_for("network", "password", "namE"), token_for("network", "password", "")};

    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, i % 2);
        psa_pake_operation_t second = sae_side(others[i], &FIXED_ON_P256, 1 - i % 2);

        test_context("other", i);
        expect_mismatch(&first, &second, 0);
    }
}

/* As the standard has it: one runs into the other. */
static void output_key__end_of_the_password_as_identifier__is_the_same_token(void)
{
    const psa_key_id_t keys[2] = {token_for("network", "password", ""),
                                  token_for("network", "pass", "word")};
    uint8_t tokens[2][TOKEN_SIZE];
    size_t length;

    for (unsigned i = 0; i < 2; i++) {
        NEED(psa_export_key(keys[i], tokens[i], TOKEN_SIZE, &length));
    }
    CHECK_BYTES(tokens[1], TOKEN_SIZE, tokens[0], TOKEN_SIZE);
}

static void looping__other_password__confirmation_fails(void)
{
    const psa_key_id_t key = sae_password(FIXED, "password");
    const psa_key_id_t other = sae_password(FIXED, "passworD");
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(other, &FIXED_ON_P256, 1);

    expect_mismatch(&first, &second, 0);
}

static void exchange__looping_with_hash_to_element__confirmation_fails(void)
{
    const psa_key_id_t key = token_for("network", "password", "");
    const psa_key_id_t password = sae_password(FIXED, "password");
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(password, &FIXED_ON_P256, 1);

    expect_mismatch(&first, &second, 0);
}

static void exchange__other_salt__confirmation_fails(void)
{
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
    psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);

    expect_mismatch(&first, &second, 2);
}

static void exchange__other_address__confirmation_fails(void)
{
    static const uint8_t third[MAC_SIZE] = {0xfe, 1, 2, 3, 4, 6};
    const psa_key_id_t keys[2] = {sae_token(FIXED), sae_password(FIXED, "password")};

    for (unsigned i = 0; i < 2; i++) {
        psa_pake_operation_t first = sae_side(keys[i], &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_named(keys[i], &FIXED_ON_P256, sae_macs[1], third);

        test_context("key", i);
        expect_mismatch(&first, &second, 0);
    }
}

/* Keys of other sizes come of other bytes. */
static void exchange__fixed_with_dependent_size__confirmation_fails(void)
{
    const struct sae_kind fixed = {PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_384), CURVE(384u)};
    const struct sae_kind dependent = {PSA_ALG_WPA3_SAE_GDH(PSA_ALG_SHA_384), CURVE(384u)};
    const struct sae_token row = {"",        CURVE(384u), TOKEN_TYPE,
                                  384,       {0, NULL},   {1, (const uint8_t *)"w"},
                                  {0, NULL}, {0, NULL}};
    const psa_key_id_t key = sae_token_of(&row, PSA_ALG_SHA_384, ANY);
    psa_pake_operation_t first = sae_side(key, &fixed, 0);
    psa_pake_operation_t second = sae_side(key, &dependent, 1);

    expect_mismatch(&first, &second, 0);
}

static const struct test_case tests[] = {
    TEST(input__forged_commit__is_invalid),
    TEST(input__value_of_wrong_length__is_refused),
    TEST(input__own_commit__is_invalid),
    TEST(input__own_confirmation__is_an_invalid_signature),
    TEST(input__changed_confirmation__is_an_invalid_signature),
    TEST(input__changed_commit__confirmation_fails),
    TEST(exchange__other_token__confirmation_fails),
    TEST(output_key__end_of_the_password_as_identifier__is_the_same_token),
    TEST(looping__other_password__confirmation_fails),
    TEST(exchange__looping_with_hash_to_element__confirmation_fails),
    TEST(exchange__other_salt__confirmation_fails),
    TEST(exchange__other_address__confirmation_fails),
    TEST(exchange__fixed_with_dependent_size__confirmation_fails),
};

TEST_SUITE(sae_messages, tests);
