/* SPDX-License-Identifier: Apache-2.0 */
/* Key derivation: steps, states, capacity, output and comparison (PSA Crypto 1.5, 10.8). */
#include <string.h>

#include "../../harness/deriving.h"
#include "../../harness/harness.h"
#include "../../harness/machines/derivation.h"
#include "../../harness/material.h"
#include "../../harness/walk.h"

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
    const bool is_aes = derivations[alg].alg == COUNTER_CMAC;
    const size_t size = is_aes ? 16 : derivations[alg].alg == TLS_PMS ? 65 : 32;
    const psa_key_attributes_t attributes =
        test_attributes(is_aes ? PSA_KEY_TYPE_AES : PSA_KEY_TYPE_DERIVE, 8 * size,
                        derivations[alg].alg, PSA_KEY_USAGE_DERIVE);

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

#define COST 2

static psa_status_t give(psa_key_derivation_operation_t *operation, size_t alg, char letter)
{
    const psa_key_derivation_step_t step =
        derivation_steps[strchr(derivation_letters, letter) - derivation_letters];

    if (letter == 'c') {
        return psa_key_derivation_input_integer(operation, step, COST);
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

    NEED(psa_key_derivation_setup(&operation, derivations[alg].alg));
    for (const char *order = derivations[alg].orders[0]; *order != 0; order++) {
        if (*order != '+') {
            NEED(give(&operation, alg, *order));
        }
    }
    return operation;
}

/* That an operation has failed: the walk checks the meaning. */
static void check_failed(psa_key_derivation_operation_t *operation)
{
    size_t capacity;

    EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_setup(operation, HKDF));
    EXPECT(PSA_ERROR_BAD_STATE, psa_key_derivation_get_capacity(operation, &capacity));
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

/* One input of bytes behind others, and its effect. */
static void check_bytes(size_t alg, const char *before, psa_key_derivation_step_t step,
                        const uint8_t *data, size_t size, psa_status_t wanted)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, derivations[alg].alg));
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
    const bool is_counted = CORRAL_WALL || sizeof(size_t) > 4;
    /* A client's blocks take no more than the greatest cost together. */
    const size_t blocks = CORRAL_WALL ? GREATEST_COST / COST : (size_t)UINT32_MAX;
    const size_t wanted[DERIVATIONS] = {
        255 * 32,
        32,
        255 * 32,
        0x1fffffff,
        0x1fffffff,
        all,
        all,
        32,
        is_counted ? blocks * 32 : all,
        is_counted ? blocks * 16 : all,
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

/* Set again after a byte of output, where that is possible. */
static void capacity__set__holds_for_what_follows(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        size_t capacity;
        uint8_t *output = test_buffer(32);
        test_context("algorithm", alg);
        if (derivations[alg].alg != TLS_PMS && !derivations[alg].is_fixed) {
            EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 1));
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_set_capacity(&operation, 31));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_key_derivation_set_capacity(&operation, PSA_KEY_DERIVATION_UNLIMITED_CAPACITY));
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 31);
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
               psa_key_derivation_output_bytes(&operation, output, 32));
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

static void verify_bytes__one_bit_off__is_an_invalid_signature(void)
{
    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        uint8_t output[32];
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
    }
    destroy_secret();
}

/* Longer than one step of the comparison: each piece counts, for bytes and for a key. */
static void verify__one_bit_off_in_any_piece__is_an_invalid_signature(void)
{
    enum { LONG = 150 };

    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        psa_key_derivation_operation_t operation = ready(alg);
        uint8_t output[LONG];
        size_t capacity;
        test_context("algorithm", alg);
        NEED(psa_key_derivation_get_capacity(&operation, &capacity));
        if (derivations[alg].is_fixed || capacity < LONG) {
            NEED(psa_key_derivation_abort(&operation));
            continue;
        }
        NEED(psa_key_derivation_output_bytes(&operation, output, LONG));
        NEED(psa_key_derivation_abort(&operation));
        for (size_t at = 0; at < LONG; at += 17) {
            operation = ready(alg);
            output[at] ^= 1;
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   psa_key_derivation_verify_bytes(&operation, output, LONG));
            check_failed(&operation);
            output[at] ^= 1;
        }
        operation = ready(alg);
        EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, output, LONG));
        NEED(psa_key_derivation_abort(&operation));
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

static psa_key_derivation_operation_t walked;
static size_t walks_with;
static psa_key_id_t password_hash;

/* The capacity is the same of all algorithms. */
static psa_status_t setup(void)
{
    const psa_status_t status = psa_key_derivation_setup(&walked, derivations[walks_with].alg);

    return status == PSA_SUCCESS ? psa_key_derivation_set_capacity(&walked, 32) : status;
}

static psa_status_t give_otherwise(unsigned step)
{
    return derivation_letters[step] == 'c'
               ? psa_key_derivation_input_bytes(&walked, derivation_steps[step], point, 4)
               : psa_key_derivation_input_integer(&walked, derivation_steps[step], 4);
}

static psa_status_t output_key(void)
{
    psa_key_id_t key;
    const psa_status_t status = deriving_key(&walked, PSA_KEY_TYPE_RAW_DATA, 256, &key);

    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    return status;
}

static psa_status_t output_custom_key(void)
{
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_RAW_DATA, 256, 0, 0);
    const psa_custom_key_parameters_t custom = {1};
    psa_key_id_t key = 9;
    const psa_status_t status =
        psa_key_derivation_output_key_custom(&attributes, &walked, &custom, NULL, 0, &key);

    CHECK(key == PSA_KEY_ID_NULL);
    return status;
}

/* The steps in the order of derivation_letters. */
#define EACH_STEP(DO)                                                                              \
    DO(0, secret)                                                                                  \
    DO(1, other_secret)                                                                            \
    DO(2, password)                                                                                \
    DO(3, salt)                                                                                    \
    DO(4, info)                                                                                    \
    DO(5, seed)                                                                                    \
    DO(6, label)                                                                                   \
    DO(7, context)                                                                                 \
    DO(8, cost)
#define STEP_CALLS(step, name)                                                                     \
    TEST_CALL(give_##name, give(&walked, walks_with, derivation_letters[step]));                   \
    TEST_CALL(give_##name##_otherwise, give_otherwise(step));
#define STEP_ROWS(step, name)                                                                      \
    WALK_CALL(step, PSA_SUCCESS, give_##name),                                                     \
        WALK_CALL(step, PSA_ERROR_INVALID_ARGUMENT, give_##name##_otherwise),

EACH_STEP(STEP_CALLS)
TEST_CALL(setup_of_no_derivation, psa_key_derivation_setup(&walked, PSA_ALG_SHA_256));
TEST_CALL(agree, psa_key_derivation_key_agreement(&walked, PSA_KEY_DERIVATION_INPUT_SECRET, secret,
                                                  point, 65));
TEST_CALL(get_capacity, psa_key_derivation_get_capacity(&walked, &walk_output.length));
TEST_CALL(set_capacity, psa_key_derivation_set_capacity(&walked, 0));
TEST_CALL(raise_capacity, psa_key_derivation_set_capacity(&walked, 33));
TEST_CALL(output_nothing, psa_key_derivation_output_bytes(&walked, NULL, 0));
TEST_CALL(output_part, psa_key_derivation_output_bytes(&walked, walk_output.bytes, 31));
TEST_CALL(verify_nothing, psa_key_derivation_verify_bytes(&walked, NULL, 0));
TEST_CALL(output, psa_key_derivation_output_bytes(&walked, walk_output.bytes, 32));
TEST_CALL(output_beyond, psa_key_derivation_output_bytes(&walked, walk_output.bytes, 33));
TEST_CALL(verify_another, psa_key_derivation_verify_bytes(&walked, point, 32));
TEST_CALL(verify_key, psa_key_derivation_verify_key(&walked, password_hash));
TEST_CALL(abort_walked, psa_key_derivation_abort(&walked));

static struct walk_call calls[] = {
    EACH_STEP(STEP_ROWS) /* first, because set_up_walk() changes them */
    WALK_CALL(0, PSA_ERROR_INVALID_ARGUMENT, agree),
    WALK_CALL(DERIVATION_READ, PSA_SUCCESS, output_nothing),
    WALK_CALL(DERIVATION_READ, PSA_SUCCESS, output_part),
    WALK_CALL(DERIVATION_READ, PSA_SUCCESS, verify_nothing),
    WALK_CALL(DERIVATION_READ, PSA_SUCCESS, output),
    WALK_CALL(DERIVATION_READ, PSA_SUCCESS, output_key),
    WALK_CALL(DERIVATION_READ, PSA_ERROR_INVALID_SIGNATURE, verify_another),
    WALK_CALL(DERIVATION_READ, PSA_ERROR_INVALID_SIGNATURE, verify_key),
    WALK_CALL(DERIVATION_READ, PSA_ERROR_INVALID_ARGUMENT, output_custom_key),
    WALK_CALL(DERIVATION_READ_BEYOND, PSA_ERROR_INSUFFICIENT_DATA, output_beyond),
    WALK_CALL(DERIVATION_SETUP, PSA_SUCCESS, setup),
    WALK_CALL(DERIVATION_SETUP, PSA_ERROR_INVALID_ARGUMENT, setup_of_no_derivation),
    WALK_CALL(DERIVATION_GET_CAPACITY, PSA_SUCCESS, get_capacity),
    WALK_CALL(DERIVATION_SET_CAPACITY, PSA_SUCCESS, set_capacity),
    WALK_CALL(DERIVATION_SET_CAPACITY, PSA_ERROR_INVALID_ARGUMENT, raise_capacity),
};

enum { AGREEMENT_ROW = 2 * DERIVATION_STEPS, PARTS_ROW, WHOLE_ROW = PARTS_ROW + 3 };

/* Steps of others are foreign; a premaster secret is read at once, and is then used up. */
static void set_up_walk(size_t alg, struct machine_made *table)
{
    const bool is_at_once = derivations[alg].alg == TLS_PMS;

    walks_with = alg;
    derivation_unfold(&derivations[alg], table);
    for (unsigned i = 0; i < AGREEMENT_ROW; i++) {
        calls[i].call = derivation_input(table, i / 2);
        calls[i].wanted = i % 2 == 0 && calls[i].call != DERIVATION_FOREIGN
                              ? PSA_SUCCESS
                              : PSA_ERROR_INVALID_ARGUMENT;
    }
    calls[AGREEMENT_ROW].call = calls[0].call;
    for (unsigned i = PARTS_ROW; calls[i].call == DERIVATION_READ; i++) {
        calls[i].not_in = is_at_once ? ONLY(DERIVATION_READING) : 0;
        if (i < WHOLE_ROW) {
            calls[i].wanted = is_at_once ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS;
        }
    }
}

static void derivation__every_call_in_every_state__is_as_the_table_says(void)
{
    struct machine_made table;
    const struct walk walk =
        WALK(table.machine, walked, abort_walked, calls, .measured = ONLY(DERIVATION_GET_CAPACITY));

    for (size_t alg = 0; alg < DERIVATIONS; alg++) {
        set_up_walk(alg, &table);
        (void)secret_for(alg);
        password_hash = test_import(PSA_KEY_TYPE_PASSWORD_HASH, derivations[alg].alg,
                                    PSA_KEY_USAGE_VERIFY_DERIVATION, point, 32);
        walk_through(&walk);
        test_destroy_keys();
    }
    destroy_secret();
}

static const struct test_case tests[] = {
    TEST(setup__what_is_no_derivation__is_refused),
    TEST(input__that_the_algorithm_excludes__is_an_invalid_argument),
    TEST(input_integer__number_out_of_range__is_refused),
    TEST(input__more_than_there_is_room_for__is_insufficient_memory),
    TEST(salt__in_parts__is_one_salt),
    TEST(capacity__at_first__is_what_the_algorithm_gives),
    TEST(capacity__set__holds_for_what_follows),
    TEST(verify_bytes__one_bit_off__is_an_invalid_signature),
    TEST(verify__one_bit_off_in_any_piece__is_an_invalid_signature),
    TEST(output__of_a_destroyed_secret__is_a_bad_state),
    TEST(derivation__every_call_in_every_state__is_as_the_table_says),
};

TEST_SUITE(derivation, tests);
