/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/key_derivation.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../keys/hold.h"
#include "operation.h"

/* Bytes of output that are compared at once; all of a premaster secret of EC J-PAKE. */
#define CHUNK PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE

const struct corral_derivation_input *
corral_derivation_input_of(const psa_crypto_driver_key_derivation_inputs_t *inputs,
                           psa_key_derivation_step_t step)
{
    static const uint8_t nothing;
    static const struct corral_derivation_input left_out = {0, NULL, &nothing, 0};

    for (unsigned i = 0; i < CORRAL_DERIVATION_STEPS; i++) {
        if (inputs->inputs[i].step == step) {
            return &inputs->inputs[i];
        }
    }
    return &left_out;
}

psa_status_t corral_derivation_ready(const psa_key_derivation_operation_t *operation)
{
    if (!corral_operation_is_active(operation->alg)) {
        return PSA_ERROR_BAD_STATE;
    }
    const uint32_t rules = corral_derivation_rules(corral_derivation_alg(operation));
    for (unsigned i = 0; i < CORRAL_DERIVATION_STEPS; i++) {
        const uint32_t rule = corral_derivation_rule(rules, i);
        if (rule != 0 && (rule & CORRAL_STEP_OPTIONAL) == 0 && (operation->given & 1u << i) == 0) {
            return PSA_ERROR_BAD_STATE;
        }
    }
    return PSA_SUCCESS;
}

psa_status_t corral_derivation_done(psa_key_derivation_operation_t *operation, psa_status_t status)
{
    return status == PSA_SUCCESS || status == PSA_ERROR_INSUFFICIENT_DATA
               ? status
               : corral_derivation_fail(operation, status);
}

/* Hold the secrets that are keys; pointers to others are NULL. */
static psa_status_t hold_secrets(const psa_key_derivation_operation_t *operation,
                                 struct corral_key *secrets[2])
{
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < 2; i++) {
        secrets[i] = NULL;
        if (status == PSA_SUCCESS && operation->keys[i].id != PSA_KEY_ID_NULL) {
            status = corral_key_hold_again(&operation->keys[i], &secrets[i]);
            secrets[i] = status == PSA_SUCCESS ? secrets[i] : NULL;
        }
    }
    return status;
}

static void release_secrets(struct corral_key *const secrets[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (secrets[i] != NULL) {
            corral_key_release(secrets[i]);
        }
    }
}

/* Show an input where it is: among the gathered bytes, or in its key's slot. */
static struct corral_derivation_input show(const struct corral_derivation_inputs *gathered,
                                           struct corral_key *const secrets[2],
                                           psa_key_derivation_step_t step, unsigned position)
{
    const bool is_other = step == PSA_KEY_DERIVATION_INPUT_OTHER_SECRET;
    struct corral_derivation_input shown = {
        step, NULL, gathered->bytes + gathered->offset[position], gathered->length[position]};

    if ((step >> 8) == (PSA_KEY_DERIVATION_INPUT_SECRET >> 8) && secrets[is_other] != NULL) {
        shown.attributes = &secrets[is_other]->attributes;
        shown.data = corral_key_data(secrets[is_other]);
        shown.length = secrets[is_other]->length;
    }
    return shown;
}

/* Hand the inputs over to the driver, whose context takes their place. */
static psa_status_t begin(psa_key_derivation_operation_t *operation,
                          struct corral_key *const secrets[2])
{
    static const psa_key_attributes_t no_key = PSA_KEY_ATTRIBUTES_INIT;
    const psa_algorithm_t alg = corral_derivation_alg(operation);
    const uint32_t rules = corral_derivation_rules(alg);
    struct corral_derivation_inputs gathered = operation->as.inputs;
    psa_crypto_driver_key_derivation_inputs_t inputs = {0};

    for (unsigned i = 0; i < CORRAL_DERIVATION_STEPS; i++) {
        if ((operation->given & 1u << i) != 0) {
            const uint32_t rule = corral_derivation_rule(rules, i);
            inputs.inputs[i] = show(&gathered, secrets, corral_derivation_step(rule), i);
        }
    }
    inputs.cost = gathered.cost;
    inputs.capacity = operation->capacity;
    corral_wipe(&operation->as, sizeof operation->as);
    const psa_status_t status = corral_dispatch_key_derivation_setup(
        &operation->as.context, secrets[0] != NULL ? &secrets[0]->attributes : &no_key, alg,
        &inputs);
    operation->is_reading = status == PSA_SUCCESS;
    corral_wipe(&gathered, sizeof gathered);
    return status;
}

psa_status_t corral_derivation_read(psa_key_derivation_operation_t *operation, uint8_t *output,
                                    size_t output_length)
{
    struct corral_key *secrets[2];

    if (output_length > operation->capacity) {
        operation->capacity = 0;
        return PSA_ERROR_INSUFFICIENT_DATA;
    }
    if (CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS &&
        corral_derivation_alg(operation) == PSA_ALG_TLS12_ECJPAKE_TO_PMS &&
        output_length != operation->capacity) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = hold_secrets(operation, secrets);
    if (status != PSA_SUCCESS) {
        release_secrets(secrets);
        return status;
    }
    if (!operation->is_reading) {
        status = begin(operation, secrets);
    }
    if (status == PSA_SUCCESS && output_length > 0) {
        status = corral_dispatch_key_derivation_output_bytes(&operation->as.context, output,
                                                             output_length);
    }
    if (status == PSA_SUCCESS) {
        operation->capacity -= output_length;
    } else {
        corral_wipe(output, output_length);
    }
    release_secrets(secrets);
    return status;
}

/* corral_derivation_ready() for output that is no key: PSA_ERROR_INVALID_ARGUMENT if none is. */
static psa_status_t check_bytes(const psa_key_derivation_operation_t *operation)
{
    psa_status_t status = corral_derivation_ready(operation);

    return status == PSA_SUCCESS && corral_derivation_is_token(corral_derivation_alg(operation))
               ? PSA_ERROR_INVALID_ARGUMENT
               : status;
}

psa_status_t psa_key_derivation_output_bytes(psa_key_derivation_operation_t *operation,
                                             uint8_t *output, size_t output_length)
{
    psa_status_t status = check_bytes(operation);
    if (status == PSA_SUCCESS && operation->is_verified_only) {
        status = PSA_ERROR_NOT_PERMITTED;
    }
    if (status == PSA_SUCCESS) {
        status = corral_derivation_read(operation, output, output_length);
    }
    return corral_derivation_done(operation, status);
}

static psa_status_t verify(psa_key_derivation_operation_t *operation, const uint8_t *expected,
                           size_t length)
{
    uint8_t chunk[CHUNK];
    psa_status_t status;
    bool is_equal = true;

    if (length > operation->capacity) {
        operation->capacity = 0;
        return PSA_ERROR_INSUFFICIENT_DATA;
    }
    do {
        const size_t part = length < sizeof chunk ? length : sizeof chunk;
        status = corral_derivation_read(operation, chunk, part);
        is_equal = status == PSA_SUCCESS && corral_equal(chunk, expected, part) && is_equal;
        expected += part;
        length -= part;
    } while (status == PSA_SUCCESS && length > 0);
    corral_wipe(chunk, sizeof chunk);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return is_equal ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t psa_key_derivation_verify_bytes(psa_key_derivation_operation_t *operation,
                                             const uint8_t *expected_output, size_t output_length)
{
    psa_status_t status = check_bytes(operation);
    if (status == PSA_SUCCESS) {
        status = verify(operation, expected_output, output_length);
    }
    return corral_derivation_done(operation, status);
}

static psa_status_t verify_by_key(psa_key_derivation_operation_t *operation,
                                  struct corral_key *expected)
{
    if (expected->attributes.type != PSA_KEY_TYPE_PASSWORD_HASH) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_attributes_are_local(&expected->attributes)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return verify(operation, corral_key_data(expected), expected->length);
}

psa_status_t psa_key_derivation_verify_key(psa_key_derivation_operation_t *operation,
                                           psa_key_id_t expected)
{
    struct corral_key *slot;

    psa_status_t status = check_bytes(operation);
    if (status == PSA_SUCCESS) {
        status =
            corral_key_hold_for(expected, PSA_KEY_USAGE_VERIFY_DERIVATION, operation->alg, &slot);
    }
    if (status == PSA_SUCCESS) {
        status = verify_by_key(operation, slot);
        corral_key_release(slot);
    }
    return corral_derivation_done(operation, status);
}
