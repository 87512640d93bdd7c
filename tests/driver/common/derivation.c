/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

SUBJECT_KIND(derivation, "key_derivation");

/* Enough for several blocks of any hash; less for the algorithms that give less. */
#define MAX_OUTPUT 150u
#define KEY_SIZE 64u
#define POINT_SIZE 65u

static bool is_pms(psa_algorithm_t alg)
{
    return alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS;
}

static size_t secret_size(const struct subject_row *row)
{
    return row->bits != 0 ? row->bits / 8 : is_pms(row->alg) ? POINT_SIZE : KEY_SIZE;
}

static size_t output_size(const struct subject_row *row)
{
    if (PSA_ALG_IS_HKDF_EXTRACT(row->alg)) {
        return PSA_HASH_LENGTH(PSA_ALG_GET_HASH(row->alg));
    }
    return is_pms(row->alg) ? PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE : MAX_OUTPUT;
}

static psa_key_id_t secret_key(const struct subject_row *row, uint8_t *secret)
{
    if (is_pms(row->alg)) {
        secret[0] = 0x04;
    }
    return subject_key(row, PSA_KEY_USAGE_DERIVE, secret, secret_size(row));
}

/* Give every input but the secret a byte of its own; `changed` is the position of one other. */
static unsigned give(psa_key_derivation_operation_t *operation, psa_key_id_t key, unsigned changed)
{
    static const psa_key_derivation_step_t steps[] = {
        PSA_KEY_DERIVATION_INPUT_COST,   PSA_KEY_DERIVATION_INPUT_SALT,
        PSA_KEY_DERIVATION_INPUT_SEED,   PSA_KEY_DERIVATION_INPUT_OTHER_SECRET,
        PSA_KEY_DERIVATION_INPUT_SECRET, PSA_KEY_DERIVATION_INPUT_PASSWORD,
        PSA_KEY_DERIVATION_INPUT_LABEL,  PSA_KEY_DERIVATION_INPUT_CONTEXT,
        PSA_KEY_DERIVATION_INPUT_INFO,
    };
    unsigned position = 0;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        psa_key_derivation_operation_t tried = *operation;
        uint8_t byte = 7;
        psa_status_t status;
        if (steps[i] == PSA_KEY_DERIVATION_INPUT_SECRET ||
            steps[i] == PSA_KEY_DERIVATION_INPUT_PASSWORD) {
            status = psa_key_derivation_input_key(&tried, steps[i], key);
        } else if (steps[i] == PSA_KEY_DERIVATION_INPUT_COST) {
            status =
                psa_key_derivation_input_integer(&tried, steps[i], position == changed ? 3 : 2);
        } else {
            byte = (uint8_t)(position == changed ? byte + 1 : byte);
            status = psa_key_derivation_input_bytes(&tried, steps[i], &byte, 1);
        }
        if (status == PSA_SUCCESS) {
            *operation = tried;
            position += steps[i] != PSA_KEY_DERIVATION_INPUT_SECRET &&
                        steps[i] != PSA_KEY_DERIVATION_INPUT_PASSWORD;
        } else {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT, status);
        }
    }
    return position;
}

static unsigned start(psa_key_derivation_operation_t *operation, const struct subject_row *row,
                      psa_key_id_t key, unsigned changed)
{
    NEED(psa_key_derivation_setup(operation, row->alg));
    return give(operation, key, changed);
}

static void read_whole(const struct subject_row *row, psa_key_id_t key, unsigned changed,
                       uint8_t output[MAX_OUTPUT])
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    (void)start(&operation, row, key, changed);
    NEED(psa_key_derivation_output_bytes(&operation, output, output_size(row)));
    NEED(psa_key_derivation_abort(&operation));
}

static psa_key_id_t any_key(const struct subject_row *row)
{
    uint8_t secret[KEY_SIZE + POINT_SIZE];

    test_fill(secret, sizeof secret, 77);
    return secret_key(row, secret);
}

static void check_chunks(const struct subject_row *row)
{
    const psa_key_id_t key = any_key(row);
    const size_t size = output_size(row);
    uint8_t whole[MAX_OUTPUT];

    read_whole(row, key, 99, whole);
    for (size_t chunk = 1; chunk < size && !is_pms(row->alg); chunk += chunk < 40 ? 3 : 19) {
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
        uint8_t *output = test_buffer(size);
        (void)start(&operation, row, key, 99);
        for (size_t at = 0; at < size; at += chunk) {
            const size_t part = size - at < chunk ? size - at : chunk;
            EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output + at, part));
        }
        CHECK_BYTES(output, size, whole, size);
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    }
}

SUBJECT_TEST(derivation__chunks__give_the_same)
{
    subject_for_each(&subject_derivation, check_chunks);
}

static void check_copied(const struct subject_row *row)
{
    const psa_key_id_t key = any_key(row);
    psa_key_derivation_operation_t first = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_derivation_operation_t second;
    uint8_t whole[MAX_OUTPUT];
    uint8_t output[MAX_OUTPUT];
    const size_t part = is_pms(row->alg) ? 0 : 5;

    read_whole(row, key, 99, whole);
    (void)start(&first, row, key, 99);
    if (part != 0) {
        EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&first, output, part));
    }
    memcpy(&second, &first, sizeof second);
    memset(&first, 0xff, sizeof first);
    EXPECT(PSA_SUCCESS,
           psa_key_derivation_output_bytes(&second, output + part, output_size(row) - part));
    CHECK_BYTES(output, output_size(row), whole, output_size(row));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&second));
}

SUBJECT_TEST(derivation__copied_operation__goes_on)
{
    subject_for_each(&subject_derivation, check_copied);
}

static void check_inputs(const struct subject_row *row)
{
    const psa_key_id_t key = any_key(row);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t whole[MAX_OUTPUT];
    uint8_t output[MAX_OUTPUT];
    uint8_t secret[KEY_SIZE + POINT_SIZE];

    read_whole(row, key, 99, whole);
    const unsigned count = start(&operation, row, key, 99);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    CHECK(count > 0 || is_pms(row->alg));
    for (unsigned i = 0; i < count; i++) {
        read_whole(row, key, i, output);
        CHECK(memcmp(output, whole, output_size(row)) != 0);
    }
    test_fill(secret, sizeof secret, 77);
    secret[secret_size(row) / 2 - 1] ^= 1;
    read_whole(row, secret_key(row, secret), 99, output);
    CHECK(memcmp(output, whole, output_size(row)) != 0);
}

SUBJECT_TEST(derivation__every_input__counts)
{
    subject_for_each(&subject_derivation, check_inputs);
}

/* The output differs from the expected one, a read exceeds the capacity, or reads nothing. */
static void check_failing(const struct subject_row *row, psa_key_id_t key,
                          const uint8_t whole[MAX_OUTPUT])
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const size_t size = output_size(row);
    uint8_t output[MAX_OUTPUT];

    memcpy(output, whole, size);
    output[size - 1] ^= 1;
    (void)start(&operation, row, key, 99);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_key_derivation_verify_bytes(&operation, output, size));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    memset(output, 0, size);
    (void)start(&operation, row, key, 99);
    NEED(psa_key_derivation_set_capacity(&operation, size - 1));
    if (!is_pms(row->alg)) {
        NEED(psa_key_derivation_output_bytes(&operation, output, 5));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_DATA, psa_key_derivation_output_bytes(&operation, output, size));
    memset(output, 0, size);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    (void)start(&operation, row, key, 99);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static void check_wiped(const struct subject_row *row)
{
    const size_t size = secret_size(row);
    uint8_t *secret = test_buffer(size);
    uint8_t *whole = test_buffer(MAX_OUTPUT);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_generate_random(secret, size));
    const psa_key_id_t key = secret_key(row, secret);
    read_whole(row, key, 99, whole);
    CHECK(test_memory_holds(secret + 1, size - 1) == (subject_location == 0));
    CHECK(!test_memory_holds(whole, output_size(row)));
    /* A part of the output, so that blocks and keys are in the context when it is aborted. */
    (void)start(&operation, row, key, 99);
    if (!is_pms(row->alg)) {
        EXPECT(PSA_SUCCESS, psa_key_derivation_verify_bytes(&operation, whole, 9));
    }
    check_failing(row, key, whole);
    NEED(psa_destroy_key(key));
    EXPECT(PSA_ERROR_BAD_STATE,
           psa_key_derivation_verify_bytes(&operation, whole, is_pms(row->alg) ? 32 : 1));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
    CHECK(!test_memory_holds(secret + 1, size - 1));
    CHECK(!test_memory_holds(whole, output_size(row)));
}

SECRET_TEST(derivation__key_destroyed__leaves_no_byte_of_key_or_output)
{
    residue_for_each(&subject_derivation, check_wiped);
}
