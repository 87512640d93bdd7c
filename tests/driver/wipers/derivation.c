/* SPDX-License-Identifier: Apache-2.0 */
#include "wipers.h"

#define OUTPUT_SIZE 40u
#define STEP(name) PSA_KEY_DERIVATION_INPUT_##name

/* Too large for the stack. */
static psa_key_derivation_operation_t operation;

static bool is_secret(psa_key_derivation_step_t step)
{
    return step == PSA_KEY_DERIVATION_INPUT_SECRET || step == PSA_KEY_DERIVATION_INPUT_PASSWORD;
}

/* Give what an algorithm takes: it refuses the rest. */
static void give(psa_key_id_t key)
{
    static const psa_key_derivation_step_t steps[] = {
        STEP(COST),     STEP(SALT),  STEP(SEED),    STEP(OTHER_SECRET), STEP(SECRET),
        STEP(PASSWORD), STEP(LABEL), STEP(CONTEXT), STEP(INFO),
    };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        psa_key_derivation_operation_t tried = operation;
        psa_status_t status;
        if (is_secret(steps[i])) {
            status = psa_key_derivation_input_key(&tried, steps[i], key);
        } else if (steps[i] == PSA_KEY_DERIVATION_INPUT_COST) {
            status = psa_key_derivation_input_integer(&tried, steps[i], 2);
        } else {
            status = psa_key_derivation_input_bytes(&tried, steps[i], (const uint8_t *)"x", 1);
        }
        if (status != PSA_ERROR_INVALID_ARGUMENT) {
            wipers_need(status);
            operation = tried;
        }
    }
}

/* Returns how much can be taken. */
static size_t begin(psa_algorithm_t alg, psa_key_id_t key)
{
    size_t size = OUTPUT_SIZE;

    operation = psa_key_derivation_operation_init();
    wipers_need(psa_key_derivation_setup(&operation, alg));
    give(key);
    (void)psa_key_derivation_get_capacity(&operation, &size);
    return size < OUTPUT_SIZE ? size : OUTPUT_SIZE;
}

WIPERS_CALL(derivation)
{
    const psa_key_id_t key = wipers_key(is, PSA_KEY_USAGE_DERIVE);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t output[OUTPUT_SIZE];
    psa_key_id_t derived;
    size_t size = begin(is.alg, key);

    wipers_need(psa_key_derivation_output_bytes(&operation, output, size));
    wipers_need(psa_key_derivation_abort(&operation));
    size = begin(is.alg, key);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_bits(&attributes, 8 * size);
    wipers_need(psa_key_derivation_output_key(&attributes, &operation, &derived));
    wipers_need(psa_key_derivation_abort(&operation));
    wipers_need(psa_destroy_key(derived));
    wipers_need(psa_destroy_key(key));
}
