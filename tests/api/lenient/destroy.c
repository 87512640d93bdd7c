/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications ported from Mbed TLS destroy the key of a derivation as soon as it was given.
 * CORRAL_LENIENT_DESTROY lets the derivation go on; without it the next call fails.
 */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/machines/derivation.h"

#define SIZE 32
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define COUNTER_CMAC PSA_ALG_SP800_108_COUNTER_CMAC
#define TLS_PMS PSA_ALG_TLS12_ECJPAKE_TO_PMS
#define POINT_SIZE 65

/* When the key is destroyed. */
enum moment { NEVER, AS_SOON_AS_GIVEN, BEFORE_THE_OUTPUT, AFTER_SOME_OUTPUT, MOMENTS };

static psa_key_id_t secret_of(psa_algorithm_t alg, size_t size)
{
    const psa_key_type_t type = alg == COUNTER_CMAC                         ? PSA_KEY_TYPE_AES
                                : PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg) ? PSA_KEY_TYPE_PASSWORD
                                                                            : PSA_KEY_TYPE_DERIVE;
    uint8_t *const data = test_buffer(size);

    test_fill(data, size, 3);
    data[0] = 4;
    return test_import(type, alg, PSA_KEY_USAGE_DERIVE, data, size);
}

/* Give the inputs of `order`; the secrets come from `keys`, which are destroyed if told. */
static psa_status_t give(psa_key_derivation_operation_t *operation, const char *order,
                         const psa_key_id_t keys[2], bool is_destroyed)
{
    static const uint8_t text[4] = "text";
    psa_status_t status = PSA_SUCCESS;

    for (; *order != 0 && status == PSA_SUCCESS; order++) {
        if (*order == '+') {
            continue;
        }
        const psa_key_derivation_step_t step =
            derivation_steps[strchr(derivation_letters, *order) - derivation_letters];
        const bool is_other = *order == 'o';
        if (*order == 'c') {
            status = psa_key_derivation_input_integer(operation, step, 2);
        } else if (*order == 'K' || *order == 'p' || is_other) {
            status = psa_key_derivation_input_key(operation, step, keys[is_other]);
            EXPECT(PSA_SUCCESS, is_destroyed ? psa_destroy_key(keys[is_other]) : PSA_SUCCESS);
        } else {
            status = psa_key_derivation_input_bytes(operation, step, text, sizeof text);
        }
    }
    return status;
}

static psa_status_t derive(psa_algorithm_t alg, const char *order, size_t size, enum moment moment,
                           uint8_t *output)
{
    const psa_key_id_t keys[2] = {secret_of(alg, size),
                                  strchr(order, 'o') != NULL ? secret_of(alg, size) : 0};
    const size_t read = moment == AFTER_SOME_OUTPUT ? 7 : 0;
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, alg));
    NEED(psa_key_derivation_set_capacity(&operation, SIZE));
    NEED(give(&operation, order, keys, moment == AS_SOON_AS_GIVEN));
    if (read > 0) {
        NEED(psa_key_derivation_output_bytes(&operation, output, read));
    }
    if (moment == BEFORE_THE_OUTPUT || moment == AFTER_SOME_OUTPUT) {
        test_destroy_keys();
    }
    const psa_status_t status =
        psa_key_derivation_output_bytes(&operation, output + read, SIZE - read);
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
    test_destroy_keys();
    test_free_buffers();
    return status;
}

/* A derivation whose key is destroyed at `moment`, compared with one whose key stays. */
static void check(psa_algorithm_t alg, const char *order, size_t size, enum moment moment)
{
    const bool goes_on =
        CORRAL_LENIENT_DESTROY && alg != COUNTER_CMAC && size <= CORRAL_RAW_KEY_MAX_SIZE;
    uint8_t outputs[2][SIZE];

    EXPECT(PSA_SUCCESS, derive(alg, order, size, NEVER, outputs[0]));
    EXPECT(goes_on ? PSA_SUCCESS : PSA_ERROR_BAD_STATE,
           derive(alg, order, size, moment, outputs[1]));
    if (goes_on) {
        CHECK_BYTES(outputs[0], SIZE, outputs[1], SIZE);
    }
}

static void derivation__key_destroyed__goes_on_only_if_lenient(void)
{
    for (size_t i = 0; i < DERIVATIONS; i++) {
        const psa_algorithm_t alg = derivations[i].alg;
        const size_t size = alg == COUNTER_CMAC ? 16 : alg == TLS_PMS ? POINT_SIZE : SIZE;

        for (size_t k = 0; k < 5 && derivations[i].orders[k] != NULL; k++) {
            for (enum moment moment = AS_SOON_AS_GIVEN; moment < MOMENTS; moment++) {
                test_context("algorithm", i);
                if (alg != TLS_PMS || moment != AFTER_SOME_OUTPUT) {
                    check(alg, derivations[i].orders[k], size, moment);
                }
            }
        }
    }
}

static void derivation__key_that_is_longer_than_the_room__goes_on_with_it_and_ends_without(void)
{
    uint8_t output[SIZE];

    check(HKDF, "Ki", CORRAL_RAW_KEY_MAX_SIZE, AS_SOON_AS_GIVEN);
    check(HKDF, "Ki", CORRAL_RAW_KEY_MAX_SIZE + 1, AS_SOON_AS_GIVEN);
    EXPECT(PSA_SUCCESS, derive(HKDF, "Ki", CORRAL_RAW_KEY_MAX_SIZE + 1, NEVER, output));
}

/* A secret by key, then so many bytes as another input. Copies of keys take no room of inputs. */
static void check_room(psa_algorithm_t alg, psa_key_derivation_step_t step, bool is_key_first)
{
    const size_t most = CORRAL_DERIVATION_INPUT_MAX_SIZE;
    const psa_key_derivation_step_t secret = PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg)
                                                 ? PSA_KEY_DERIVATION_INPUT_PASSWORD
                                                 : PSA_KEY_DERIVATION_INPUT_SECRET;

    for (size_t size = most; size <= most + 1; size++) {
        const psa_key_id_t key = secret_of(alg, SIZE);
        uint8_t *const text = test_buffer(size);
        uint8_t output[SIZE];
        psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

        NEED(psa_key_derivation_setup(&operation, alg));
        if (PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg)) {
            NEED(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 1));
        }
        if (is_key_first) {
            NEED(psa_key_derivation_input_key(&operation, secret, key));
        }
        EXPECT(size > most ? PSA_ERROR_INSUFFICIENT_MEMORY : PSA_SUCCESS,
               psa_key_derivation_input_bytes(&operation, step, text, size));
        if (size == most && !is_key_first) {
            NEED(psa_key_derivation_input_key(&operation, secret, key));
        }
        if (size == most) {
            EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, SIZE));
        }
        EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
        test_destroy_keys();
        test_free_buffers();
    }
}

static void input__beside_a_copied_key__has_the_room_that_drivers_have(void)
{
    check_room(HKDF, PSA_KEY_DERIVATION_INPUT_INFO, true);
    check_room(PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_256), PSA_KEY_DERIVATION_INPUT_INFO, true);
    check_room(PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256), PSA_KEY_DERIVATION_INPUT_SALT, false);
}

static void output_key__key_destroyed__is_a_key_only_if_lenient(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 256, HKDF, PSA_KEY_USAGE_DERIVE);
    const psa_key_id_t key = secret_of(HKDF, SIZE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t made;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    EXPECT(CORRAL_LENIENT_DESTROY ? PSA_SUCCESS : PSA_ERROR_BAD_STATE,
           psa_key_derivation_output_key(&attributes, &operation, &made));
    EXPECT(PSA_SUCCESS, psa_destroy_key(made));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static const struct test_case tests[] = {
    TEST(derivation__key_destroyed__goes_on_only_if_lenient),
    TEST(derivation__key_that_is_longer_than_the_room__goes_on_with_it_and_ends_without),
    TEST(input__beside_a_copied_key__has_the_room_that_drivers_have),
    TEST(output_key__key_destroyed__is_a_key_only_if_lenient),
};

TEST_SUITE(lenient_destroy, tests);
