/* SPDX-License-Identifier: Apache-2.0 */
/* Key derivation: steps, states, capacity, output and comparison (PSA Crypto 1.5, 10.8). */
#include <string.h>

#include "../../harness/derivation_orders.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define COUNTER_CMAC PSA_ALG_SP800_108_COUNTER_CMAC
#define TLS_PMS PSA_ALG_TLS12_ECJPAKE_TO_PMS
#define PBKDF2 PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)
#define ROOM CORRAL_DERIVATION_INPUT_MAX_SIZE

static uint8_t point[65];
/* The secret of one algorithm at a time: slots are few. */
static psa_key_id_t secret;
static size_t secret_is_for;

static void destroy_secret(void)
{
    EXPECT(PSA_SUCCESS, psa_destroy_key(secret));
    secret = PSA_KEY_ID_NULL;
}

static psa_key_id_t secret_for(size_t alg)
{
    const bool is_aes = derivation_orders[alg].alg == COUNTER_CMAC;
    const size_t size = is_aes ? 16 : derivation_orders[alg].alg == TLS_PMS ? 65 : 32;
    const psa_key_attributes_t attributes =
        test_attributes(is_aes ? PSA_KEY_TYPE_AES : PSA_KEY_TYPE_DERIVE, 8 * size,
                        derivation_orders[alg].alg, PSA_KEY_USAGE_DERIVE);

    if (secret != PSA_KEY_ID_NULL && secret_is_for == alg) {
        return secret;
    }
    destroy_secret();
    test_fill(point, sizeof point, 3);
    point[0] = 4;
    NEED(psa_import_key(&attributes, point, size, &secret));
    secret_is_for = alg;
    return secret;
}

static psa_status_t give(psa_key_derivation_operation_t *operation, size_t alg, char letter)
{
    const psa_key_derivation_step_t step = derivation_step(letter);

    if (letter == 'c') {
        return psa_key_derivation_input_integer(operation, step, 2);
    }
    if (letter == 'K' || letter == 'p') {
        return psa_key_derivation_input_key(operation, step, secret_for(alg));
    }
    return psa_key_derivation_input_bytes(operation, step, (const uint8_t *)"text", 4);
}

/* An operation with all of an algorithm's inputs. */
static psa_key_derivation_operation_t ready(size_t alg)
{
    psa_key_derivation_operation_t operation = psa_key_derivation_operation_init();

    NEED(psa_key_derivation_setup(&operation, derivation_orders[alg].alg));
    for (const char *order = derivation_orders[alg].whole[0]; *order != 0; order++) {
        NEED(give(&operation, alg, *order));
    }
    return operation;
}

/* Every function but abort, on an operation that is inactive or has failed. */
static void check_dead(psa_key_derivation_operation_t *dead)
{
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, 0, 0);
    const psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
    const psa_key_derivation_operation_t saved = *dead;
    psa_key_derivation_operation_t copy;
    psa_key_id_t key = 9;
    uint8_t byte = 0;
    size_t capacity = 9;

#define DEAD(call)                                                                                 \
    do {                                                                                           \
        copy = saved;                                                                              \
        EXPECT(PSA_ERROR_BAD_STATE, call);                                                         \
        EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_setup(&copy, HKDF));                        \
    } while (0)
    DEAD(psa_key_derivation_set_capacity(&copy, 0));
    DEAD(psa_key_derivation_input_bytes(&copy, PSA_KEY_DERIVATION_INPUT_SECRET, &byte, 1));
    DEAD(psa_key_derivation_input_integer(&copy, PSA_KEY_DERIVATION_INPUT_COST, 1));
    DEAD(psa_key_derivation_input_key(&copy, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    DEAD(
        psa_key_derivation_key_agreement(&copy, PSA_KEY_DERIVATION_INPUT_SECRET, secret, &byte, 1));
    DEAD(psa_key_derivation_output_bytes(&copy, &byte, 1));
    DEAD(psa_key_derivation_output_key(&attributes, &copy, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    DEAD(psa_key_derivation_output_key_custom(&attributes, &copy, &custom, NULL, 0, &key));
    DEAD(psa_key_derivation_verify_bytes(&copy, &byte, 1));
    DEAD(psa_key_derivation_verify_key(&copy, secret));
#undef DEAD
    EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_get_capacity(dead, &capacity));
    CHECK(capacity == 0);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&copy));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&copy));
    CHECK(test_all((const uint8_t *)&copy, sizeof copy, 0));
}

/* The operation has failed; end it. */
static void check_failed(psa_key_derivation_operation_t *operation)
{
    check_dead(operation);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(operation));
}

static void setup__what_is_no_derivation__is_refused(void)
{
    static const struct {
        psa_algorithm_t alg;
        psa_status_t status;
    } rows[] = {
        {PSA_ALG_NONE, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_ALG_SHA_256, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_ERROR_INVALID_ARGUMENT},
        {PSA_ALG_ECDH, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_ALG_FFDH, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_ALG_HKDF(PSA_ALG_MD4), PSA_ERROR_NOT_SUPPORTED},
        {PSA_ALG_HKDF(PSA_ALG_NONE), PSA_ERROR_NOT_SUPPORTED},
        {PSA_ALG_HKDF(PSA_ALG_ANY_HASH), PSA_ERROR_NOT_SUPPORTED},
        {PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_256), PSA_ERROR_NOT_SUPPORTED},
        {PSA_ALG_KEY_AGREEMENT(PSA_ALG_FFDH, HKDF), PSA_ERROR_NOT_SUPPORTED},
        {PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_MD4)), PSA_ERROR_NOT_SUPPORTED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        test_context("algorithm", i);
        EXPECT(rows[i].status, psa_key_derivation_setup(&operation, rows[i].alg));
        CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
    }
}

static void setup__active_operation__is_a_bad_state_and_changes_nothing(void)
{
    uint8_t output[2][40];

    for (size_t i = 0; i < 2; i++) {
        psa_key_derivation_operation_t operation = ready(0);
        if (i == 1) {
            EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_setup(&operation, PBKDF2));
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output[i], 40));
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    CHECK_BYTES(output[0], 40, output[1], 40);
    destroy_secret();
}

/* Give the steps; true if all were taken. */
static bool walk(psa_key_derivation_operation_t *operation, size_t alg, const char *letters,
                 bool *is_whole)
{
    *is_whole = false;
    for (size_t i = 0; letters[i] != 0; i++) {
        const bool is_right = derivation_begins(&derivation_orders[alg], letters, i + 1, is_whole);
        const psa_status_t wanted = is_right ? PSA_SUCCESS
                                    : derivation_has(&derivation_orders[alg], letters[i])
                                        ? PSA_ERROR_BAD_STATE
                                        : PSA_ERROR_INVALID_ARGUMENT;
        EXPECT(wanted, give(operation, alg, letters[i]));
        if (!is_right) {
            EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_set_capacity(operation, 0));
            return false;
        }
    }
    return true;
}

static void steps__every_order_of_four__is_taken_or_refused_as_specified(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        size_t whole = 0;
        for (size_t code = 0, length = 1, end = DERIVATION_STEPS; length <= 4; code++) {
            psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
            char letters[5] = {0};
            uint8_t output[32];
            bool is_whole;
            if (code == end) {
                code = 0;
                end *= DERIVATION_STEPS;
                length++;
            }
            for (size_t i = 0, rest = code; i < length && i < 4; i++, rest /= DERIVATION_STEPS) {
                letters[i] = derivation_letters[rest % DERIVATION_STEPS];
            }
            test_context(letters, alg);
            NEED(psa_key_derivation_setup(&operation, derivation_orders[alg].alg));
            if (walk(&operation, alg, letters, &is_whole)) {
                EXPECT(is_whole ? PSA_SUCCESS : PSA_ERROR_BAD_STATE,
                       psa_key_derivation_output_bytes(&operation, output, 32));
                whole += is_whole;
            }
            EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
        }
        CHECK(whole > 0);
    }
    destroy_secret();
}

static void steps__after_output__are_a_bad_state(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        for (size_t i = 0; i < DERIVATION_STEPS; i++) {
            psa_key_derivation_operation_t operation = ready(alg);
            uint8_t output[32];
            test_context("algorithm", alg);
            EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 32));
            EXPECT(PSA_ERROR_BAD_STATE, give(&operation, alg, derivation_letters[i]));
            EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
        }
    }
    destroy_secret();
}

static void input__of_another_kind__is_an_invalid_argument(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        for (const char *order = derivation_orders[alg].whole[0]; *order != 0; order++) {
            psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
            const psa_key_derivation_step_t step = derivation_step(*order);
            psa_status_t status;
            test_context(derivation_orders[alg].whole[0], alg);
            NEED(psa_key_derivation_setup(&operation, derivation_orders[alg].alg));
            for (const char *before = derivation_orders[alg].whole[0]; before != order; before++) {
                NEED(give(&operation, alg, *before));
            }
            status = *order == 'c' ? psa_key_derivation_input_bytes(&operation, step, point, 4)
                                   : psa_key_derivation_input_integer(&operation, step, 4);
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
            check_failed(&operation);
        }
    }
    destroy_secret();
}

/* One input of bytes behind others, and what becomes of it. */
static void check_bytes(size_t alg, const char *before, psa_key_derivation_step_t step,
                        const uint8_t *data, size_t size, psa_status_t wanted)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, derivation_orders[alg].alg));
    for (; *before != 0; before++) {
        NEED(give(&operation, alg, *before));
    }
    EXPECT(wanted, psa_key_derivation_input_bytes(&operation, step, data, size));
    if (wanted != PSA_SUCCESS) {
        check_failed(&operation);
    }
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static void input__that_the_algorithm_excludes__is_an_invalid_argument(void)
{
    const psa_key_derivation_step_t input = PSA_KEY_DERIVATION_INPUT_SECRET;
    const psa_key_derivation_step_t label = PSA_KEY_DERIVATION_INPUT_LABEL;

    (void)secret_for(0);
    for (size_t size = 0; size < 34; size++) { /* a pseudorandom key has the length of the hash */
        check_bytes(2, "", input, point, size,
                    size < 32 ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS);
    }
    check_bytes(6, "d", input, point, 64, PSA_SUCCESS);
    check_bytes(6, "d", input, point, 65, PSA_ERROR_INVALID_ARGUMENT);
    check_bytes(7, "", input, point, 65, PSA_SUCCESS);
    check_bytes(7, "", input, point, 64, PSA_ERROR_INVALID_ARGUMENT);
    check_bytes(7, "", input, point + 1, 0, PSA_ERROR_INVALID_ARGUMENT);
    point[0] = 2;
    check_bytes(7, "", input, point, 65, PSA_ERROR_INVALID_ARGUMENT);
    point[0] = 4;
    check_bytes(4, "", input, point, 16, PSA_ERROR_INVALID_ARGUMENT);
    for (size_t alg = 3; alg <= 4; alg++) {
        check_bytes(alg, "K", label, (const uint8_t *)"label", 5, PSA_SUCCESS);
        check_bytes(alg, "K", label, (const uint8_t *)"label", 6, PSA_ERROR_INVALID_ARGUMENT);
        check_bytes(alg, "K", label, NULL, 0, PSA_SUCCESS);
    }
    check_bytes(5, "dK", label, (const uint8_t *)"label", 6, PSA_SUCCESS);
    destroy_secret();
}

/* A client behind a wall may ask for less than there can be. */
#define GREATEST_COST (CORRAL_WALL ? (uint32_t)CORRAL_WALL_COST_MAX : UINT32_MAX)

static void input_integer__number_out_of_range__is_refused(void)
{
    const struct {
        uint64_t value;
        psa_status_t status;
    } rows[] = {{0, PSA_ERROR_INVALID_ARGUMENT},
                {1, PSA_SUCCESS},
                {GREATEST_COST, PSA_SUCCESS},
                {(uint64_t)GREATEST_COST + 1, PSA_ERROR_NOT_SUPPORTED},
                {UINT64_MAX, PSA_ERROR_NOT_SUPPORTED}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        NEED(psa_key_derivation_setup(&operation, PBKDF2));
        EXPECT(rows[i].status, psa_key_derivation_input_integer(
                                   &operation, PSA_KEY_DERIVATION_INPUT_COST, rows[i].value));
        if (rows[i].status != PSA_SUCCESS) {
            check_failed(&operation);
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    destroy_secret();
}

static void input__more_than_there_is_room_for__is_insufficient_memory(void)
{
    uint8_t *data = test_buffer(ROOM + 1);

    check_bytes(0, "", PSA_KEY_DERIVATION_INPUT_SALT, data, ROOM, PSA_SUCCESS);
    check_bytes(0, "", PSA_KEY_DERIVATION_INPUT_SALT, data, ROOM + 1,
                PSA_ERROR_INSUFFICIENT_MEMORY);
    check_bytes(0, "s", PSA_KEY_DERIVATION_INPUT_INFO, data, ROOM - 4, PSA_SUCCESS);
    check_bytes(0, "s", PSA_KEY_DERIVATION_INPUT_INFO, data, ROOM - 3,
                PSA_ERROR_INSUFFICIENT_MEMORY);
    check_bytes(8, "css", PSA_KEY_DERIVATION_INPUT_SALT, data, ROOM - 7,
                PSA_ERROR_INSUFFICIENT_MEMORY);
    destroy_secret();
}

static void salt__in_parts__is_one_salt(void)
{
    uint8_t output[2][48];

    for (size_t i = 0; i < 2; i++) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        const psa_key_id_t pepper = test_import(PSA_KEY_TYPE_PEPPER, PBKDF2, PSA_KEY_USAGE_DERIVE,
                                                (const uint8_t *)"lt of", 5);
        NEED(psa_key_derivation_setup(&operation, PBKDF2));
        NEED(give(&operation, 8, 'c'));
        if (i == 0) {
            NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                                (const uint8_t *)"salt of parts", 13));
        } else {
            NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                                (const uint8_t *)"sa", 2));
            NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SALT, pepper));
            NEED(
                psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, NULL, 0));
            NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT,
                                                (const uint8_t *)" parts", 6));
        }
        NEED(give(&operation, 8, 'p'));
        NEED(psa_key_derivation_output_bytes(&operation, output[i], 48));
        NEED(psa_key_derivation_abort(&operation));
    }
    CHECK_BYTES(output[1], 48, output[0], 48);
    destroy_secret();
}

static void capacity__at_first__is_what_the_algorithm_gives(void)
{
    const size_t all = PSA_KEY_DERIVATION_UNLIMITED_CAPACITY;
    const size_t blocks = sizeof(size_t) > 4 ? (size_t)UINT32_MAX : all / 32;
    const size_t wanted[DERIVATIONS] = {
        255 * 32,
        32,
        255 * 32,
        0x1fffffff,
        0x1fffffff,
        all,
        all,
        32,
        sizeof(size_t) > 4 ? blocks * 32 : all,
        sizeof(size_t) > 4 ? blocks * 16 : all,
    };

    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        size_t capacity;
        uint8_t output[32];
        test_context("algorithm", alg);
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == wanted[alg]);
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 32));
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == wanted[alg] - 32);
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    destroy_secret();
}

static void capacity__set__holds_for_what_follows(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        size_t capacity;
        uint8_t *output = test_buffer(32);
        test_context("algorithm", alg);
        EXPECT(PSA_SUCCESS, psa_key_derivation_set_capacity(&operation, 32));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_key_derivation_set_capacity(&operation, 33));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_key_derivation_set_capacity(&operation, PSA_KEY_DERIVATION_UNLIMITED_CAPACITY));
        EXPECT(PSA_SUCCESS, psa_key_derivation_set_capacity(&operation, 32));
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 32);
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
               psa_key_derivation_output_bytes(&operation, output, 33));
        CHECK(test_all(output, 32, 0xa5));
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 0);
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA, psa_key_derivation_output_bytes(&operation, output, 1));
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA, psa_key_derivation_verify_bytes(&operation, output, 1));
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, NULL, 0));
        EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, NULL, 0));
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    destroy_secret();
}

static void capacity__set_after_output__is_fixed_for_counter_mode_alone(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        const bool is_counter = alg == 3 || alg == 4;
        uint8_t output[32];
        if (alg == 7) {
            NEED(psa_key_derivation_abort(&operation));
            continue;
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 1));
        EXPECT(is_counter ? PSA_ERROR_BAD_STATE : PSA_SUCCESS,
               psa_key_derivation_set_capacity(&operation, 20));
        if (is_counter) {
            check_failed(&operation);
        } else {
            EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 20));
            EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
                   psa_key_derivation_output_bytes(&operation, output, 1));
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    destroy_secret();
}

static void premaster_secret__a_part_of_it__is_an_invalid_argument(void)
{
    for (size_t size = 0; size < 32; size++) {
        psa_key_derivation_operation_t operation = ready(7);
        uint8_t *output = test_buffer(size);
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_key_derivation_output_bytes(&operation, output, size));
        check_failed(&operation);
    }
    destroy_secret();
}

static void verify_bytes__one_bit_off__is_an_invalid_signature(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        uint8_t output[32];
        size_t capacity;
        test_context("algorithm", alg);
        NEED(psa_key_derivation_output_bytes(&operation, output, 32));
        NEED(psa_key_derivation_abort(&operation));
        for (size_t bit = 0; bit < 8 * sizeof output; bit += 37) {
            operation = ready(alg);
            output[bit / 8] ^= (uint8_t)(1 << bit % 8);
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_key_derivation_verify_bytes(&operation, output, 32));
            check_failed(&operation);
            output[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        operation = ready(alg);
        EXPECT(PSA_SUCCESS, psa_key_derivation_set_capacity(&operation, alg == 7 ? 32 : 31));
        if (alg != 7) {
            EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
                   psa_key_derivation_verify_bytes(&operation, output, 32));
            EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
            CHECK(capacity == 0);
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
    destroy_secret();
}

static void output__of_a_destroyed_secret__is_a_bad_state(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        for (size_t begun = 0; begun < 2; begun++) {
            uint8_t *output = test_buffer(32);
            psa_key_derivation_operation_t operation = ready(alg);
            if (begun && alg != 7) {
                EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 1));
            }
            destroy_secret();
            EXPECT(PSA_ERROR_BAD_STATE,
                   psa_key_derivation_output_bytes(&operation, output, alg == 1 ? 31 : 32));
            check_failed(&operation);
        }
    }
}

static const struct test_case tests[] = {
    TEST(setup__what_is_no_derivation__is_refused),
    TEST(setup__active_operation__is_a_bad_state_and_changes_nothing),
    TEST(steps__every_order_of_four__is_taken_or_refused_as_specified),
    TEST(steps__after_output__are_a_bad_state),
    TEST(input__of_another_kind__is_an_invalid_argument),
    TEST(input__that_the_algorithm_excludes__is_an_invalid_argument),
    TEST(input_integer__number_out_of_range__is_refused),
    TEST(input__more_than_there_is_room_for__is_insufficient_memory),
    TEST(salt__in_parts__is_one_salt),
    TEST(capacity__at_first__is_what_the_algorithm_gives),
    TEST(capacity__set__holds_for_what_follows),
    TEST(capacity__set_after_output__is_fixed_for_counter_mode_alone),
    TEST(premaster_secret__a_part_of_it__is_an_invalid_argument),
    TEST(verify_bytes__one_bit_off__is_an_invalid_signature),
    TEST(output__of_a_destroyed_secret__is_a_bad_state),
};

TEST_SUITE(derivation, tests);
