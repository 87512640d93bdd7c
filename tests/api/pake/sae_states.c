/* SPDX-License-Identifier: Apache-2.0 */
/* Which step of WPA3-SAE goes when, and what it is set up with. */
#include "../../harness/entropy.h"
#include "sae_test.h"

/* What can be done to an operation; all but the last are steps. */
enum action {
    SEND_COMMIT,
    TAKE_COMMIT,
    TAKE_SALT,
    TAKE_COUNT,
    SEND_CONFIRM,
    TAKE_CONFIRM,
    SEND_KEY_ID,
    GET_KEY,
    ACTIONS
};

/* How far the first of two sides is, and what may come next: a bit for each action. */
struct place {
    bool has_sent;
    bool has_taken;
    bool is_salted;
    bool has_count;
    bool has_confirmed;
    bool is_confirmed;
    unsigned permitted;
};

#define BIT(action) (1u << (action))
#define SALTED_ACTIONS (BIT(TAKE_COUNT) | BIT(TAKE_CONFIRM))
#define LAST_ACTIONS (BIT(SEND_KEY_ID) | BIT(GET_KEY))

static const struct place places[] = {
    {false, false, false, false, false, false, BIT(SEND_COMMIT) | BIT(TAKE_COMMIT)},
    {true, false, false, false, false, false, BIT(TAKE_COMMIT)},
    {false, true, false, false, false, false, BIT(SEND_COMMIT)},
    {true, true, false, false, false, false, BIT(TAKE_SALT)},
    {true, true, true, false, false, false, SALTED_ACTIONS},
    {true, true, true, true, false, false, SALTED_ACTIONS | BIT(SEND_CONFIRM)},
    {true, true, true, false, true, false, SALTED_ACTIONS},
    {true, true, true, false, false, true, SALTED_ACTIONS | LAST_ACTIONS},
    {true, true, true, true, false, true, SALTED_ACTIONS | LAST_ACTIONS | BIT(SEND_CONFIRM)},
    {true, true, true, false, true, true, SALTED_ACTIONS | LAST_ACTIONS},
};

static void go_to(const struct place *place, psa_pake_operation_t *first,
                  psa_pake_operation_t *second)
{
    static const uint8_t count[2] = {1, 0};

    if (place->has_sent) {
        pass(first, second, COMMIT);
    }
    if (place->has_taken) {
        pass(second, first, COMMIT);
    }
    if (place->is_salted) {
        NEED(psa_pake_input(first, SALT, NULL, 0));
        NEED(psa_pake_input(second, SALT, NULL, 0));
    }
    if (place->has_confirmed) {
        sae_confirm(first, second, 1);
    }
    if (place->is_confirmed) {
        sae_confirm(second, first, 1);
    }
    if (place->has_count) {
        NEED(psa_pake_input(first, COUNT, count, sizeof count));
    }
}

/* Inputs have the right length; what is in them does not matter where they are out of place. */
static psa_status_t act(psa_pake_operation_t *operation, enum action action)
{
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_DERIVE, 0, 0, 0);
    uint8_t value[COMMIT_SIZE] = {1};
    size_t length;
    psa_key_id_t key;

    switch (action) {
    case SEND_COMMIT:
        return psa_pake_output(operation, COMMIT, value, sizeof value, &length);
    case TAKE_COMMIT:
        return psa_pake_input(operation, COMMIT, value, COMMIT_SIZE);
    case TAKE_SALT:
        return psa_pake_input(operation, SALT, value, 2);
    case TAKE_COUNT:
        return psa_pake_input(operation, COUNT, value, 2);
    case SEND_CONFIRM:
        return psa_pake_output(operation, CONFIRM, value, sizeof value, &length);
    case TAKE_CONFIRM:
        return psa_pake_input(operation, CONFIRM, value, CONFIRM_SIZE);
    case SEND_KEY_ID:
        return psa_pake_output(operation, KEY_ID, value, sizeof value, &length);
    default:
        return psa_pake_get_shared_key(operation, &attributes, &key);
    }
}

/* What holds of an action of the first side. */
typedef void (*claim)(psa_pake_operation_t *first, enum action action, psa_key_id_t key);

/* Each action in each place where it is permitted, or in each where it is not. */
static void for_each_step(bool is_permitted, claim check)
{
    const psa_key_id_t key = sae_token(FIXED);
    const unsigned count = ACTIONS * (unsigned)(sizeof places / sizeof places[0]);

    for (unsigned i = 0; i < count; i += STRIDE) {
        const struct place *const place = &places[i / ACTIONS];
        const enum action action = (enum action)(i % ACTIONS);

        if (((place->permitted & BIT(action)) != 0) != is_permitted) {
            continue;
        }
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        test_context("case", i);
        go_to(place, &first, &second);
        check(&first, action, key);
        sae_end(&first, &second);
    }
}

static void check_bad_state(psa_pake_operation_t *first, enum action action, psa_key_id_t key)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);

    EXPECT(PSA_ERROR_BAD_STATE, act(first, action));
    check_failed(first, key, &suite);
}

static void steps__out_of_order__are_bad_state(void)
{
    for_each_step(false, check_bad_state);
}

/* A commit or a confirmation that was made up is refused as such. */
static void check_in_order(psa_pake_operation_t *first, enum action action, psa_key_id_t key)
{
    (void)key;
    EXPECT(action == TAKE_COMMIT    ? PSA_ERROR_INVALID_ARGUMENT
           : action == TAKE_CONFIRM ? PSA_ERROR_INVALID_SIGNATURE
                                    : PSA_SUCCESS,
           act(first, action));
}

/* The other half of the table. */
static void steps__in_order__are_not_bad_state(void)
{
    for_each_step(true, check_in_order);
}

static void steps__of_other_algorithms_or_directions__are_invalid(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    const psa_pake_step_t inputs[] = {
        0, PSA_PAKE_STEP_KEY_SHARE, PSA_PAKE_STEP_ZK_PUBLIC, PSA_PAKE_STEP_ZK_PROOF, KEY_ID, 0x99};
    const psa_pake_step_t outputs[] = {
        0,   PSA_PAKE_STEP_KEY_SHARE, PSA_PAKE_STEP_ZK_PUBLIC, PSA_PAKE_STEP_ZK_PROOF, SALT, COUNT,
        0x99};
    uint8_t value[COMMIT_SIZE] = {1};
    size_t length;

    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);

        test_context("input", inputs[i]);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_input(&operation, inputs[i], value, 2));
        check_failed(&operation, key, &suite);
    }
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);

        test_context("output", outputs[i]);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_pake_output(&operation, outputs[i], value, sizeof value, &length));
        CHECK(length == 0);
        check_failed(&operation, key, &suite);
    }
}

static void steps__without_both_addresses__are_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (unsigned i = 0; i < 6; i++) {
        psa_pake_operation_t operation = sae_bare(key, &FIXED_ON_P256);

        test_context("case", i);
        if (i % 3 == 1) {
            NEED(psa_pake_set_user(&operation, sae_macs[0], MAC_SIZE));
        } else if (i % 3 == 2) {
            NEED(psa_pake_set_peer(&operation, sae_macs[1], MAC_SIZE));
        }
        EXPECT(PSA_ERROR_BAD_STATE, act(&operation, i < 3 ? SEND_COMMIT : TAKE_COMMIT));
        check_failed(&operation, key, &suite);
    }
}

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

static void set_user_and_peer__the_same_or_again__are_refused(void)
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
    operation = sae_side(key, &FIXED_ON_P256, 0);
    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_set_user(&operation, sae_macs[0], MAC_SIZE));
    check_failed(&operation, key, &suite);
    operation = sae_side(key, &FIXED_ON_P256, 0);
    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_set_peer(&operation, sae_macs[1], MAC_SIZE));
    check_failed(&operation, key, &suite);
}

static void set_context__always__is_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);

    for (unsigned i = 0; i < 2; i++) {
        psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);

        EXPECT(PSA_ERROR_BAD_STATE, i == 0 ? psa_pake_set_context(&operation, NAME("context"))
                                           : psa_pake_set_context(&operation, NULL, 0));
        check_failed(&operation, key, &suite);
    }
}

static void set_role__sae__has_none(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    const psa_pake_role_t roles[] = {PSA_PAKE_ROLE_FIRST, PSA_PAKE_ROLE_SECOND,
                                     PSA_PAKE_ROLE_CLIENT, PSA_PAKE_ROLE_SERVER, 0x99};

    psa_pake_operation_t operation = sae_bare(key, &FIXED_ON_P256);
    EXPECT(PSA_SUCCESS, psa_pake_set_role(&operation, PSA_PAKE_ROLE_NONE));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        operation = sae_bare(key, &FIXED_ON_P256);
        test_context("role", roles[i]);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_pake_set_role(&operation, roles[i]));
        check_failed(&operation, key, &suite);
    }
}

static void settings__after_a_step__are_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);

    NEED(act(&operation, SEND_COMMIT));
    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_set_role(&operation, PSA_PAKE_ROLE_NONE));
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

static void setup__active_operation__is_refused(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    psa_pake_operation_t operation = sae_side(key, &FIXED_ON_P256, 0);

    EXPECT(PSA_ERROR_BAD_STATE, psa_pake_setup(&operation, key, &suite));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static void output__one_byte_short__is_too_small_at_each_step(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t key = sae_token(FIXED);
    const struct {
        const struct place *place;
        psa_pake_step_t step;
        size_t size;
    } rows[] = {{&places[0], COMMIT, COMMIT_SIZE - 1},   {&places[2], COMMIT, COMMIT_SIZE - 1},
                {&places[5], CONFIRM, CONFIRM_SIZE - 1}, {&places[8], CONFIRM, 0},
                {&places[9], KEY_ID, KEY_ID_SIZE - 1},   {&places[7], KEY_ID, 0}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);
        uint8_t *const output = test_buffer(rows[i].size);
        size_t length = 1;

        test_context("row", i);
        go_to(rows[i].place, &first, &second);
        EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
               psa_pake_output(&first, rows[i].step, output, rows[i].size, &length));
        CHECK(length == 0 && test_all(output, rows[i].size, 0xa5));
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
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

        go_to(&places[2 * i], &first, &second);
        test_entropy_mode(TEST_ENTROPY_ABSENT);
        EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY,
               psa_pake_output(&first, COMMIT, commit, sizeof commit, &length));
        test_entropy_mode(TEST_ENTROPY_GOOD);
        CHECK(length == 0 && test_all(commit, sizeof commit, 0));
        check_failed(&first, key, &suite);
        sae_end(&first, &second);
    }
}

static void every_step__key_destroyed__is_bad_state(void)
{
    const psa_pake_cipher_suite_t suite = sae_suite(&FIXED_ON_P256);
    const psa_key_id_t another = sae_token(FIXED);

    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (unsigned action = 0; action < ACTIONS; action += STRIDE) {
            if ((places[i].permitted & BIT(action)) == 0) {
                continue;
            }
            const psa_key_id_t key = sae_token(FIXED);
            psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
            psa_pake_operation_t second = sae_side(another, &FIXED_ON_P256, 1);

            test_context("case", ACTIONS * i + action);
            go_to(&places[i], &first, &second);
            NEED(psa_destroy_key(key));
            EXPECT(PSA_ERROR_BAD_STATE, act(&first, (enum action)action));
            check_failed(&first, another, &suite);
            sae_end(&first, &second);
        }
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

static void abort__at_any_place__operation_can_be_used_again(void)
{
    const psa_key_id_t key = sae_token(FIXED);

    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        psa_pake_operation_t first = sae_side(key, &FIXED_ON_P256, 0);
        psa_pake_operation_t second = sae_side(key, &FIXED_ON_P256, 1);

        go_to(&places[i], &first, &second);
        EXPECT(PSA_SUCCESS, psa_pake_abort(&first));
        CHECK(test_all((const uint8_t *)&first, sizeof first, 0));
        first = sae_side(key, &FIXED_ON_P256, 0);
        sae_end(&first, &second);
    }
}

static const struct test_case tests[] = {
    TEST(steps__out_of_order__are_bad_state),
    TEST(steps__in_order__are_not_bad_state),
    TEST(steps__of_other_algorithms_or_directions__are_invalid),
    TEST(steps__without_both_addresses__are_bad_state),
    TEST(set_user_and_peer__no_address__are_refused),
    TEST(set_user_and_peer__the_same_or_again__are_refused),
    TEST(set_context__always__is_bad_state),
    TEST(set_role__sae__has_none),
    TEST(settings__after_a_step__are_bad_state),
    TEST(setup__hash_or_group_of_another__is_refused),
    TEST(setup__suite_that_is_none__is_refused),
    TEST(setup__active_operation__is_refused),
    TEST(output__one_byte_short__is_too_small_at_each_step),
    TEST(output__no_entropy__is_said_and_nothing_comes_out),
    TEST(every_step__key_destroyed__is_bad_state),
    TEST(get_shared_key__that_the_secret_cannot_be__is_refused),
    TEST(abort__at_any_place__operation_can_be_used_again),
};

TEST_SUITE(sae_states, tests);
