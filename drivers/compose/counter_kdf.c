/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#define COUNTER 4u
#define CMAC_LENGTH 16u

static psa_status_t start(compose_counter_kdf_operation_t *operation, psa_algorithm_t mac_alg,
                          size_t block_length,
                          const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    size_t length = COUNTER;

    compose_append(operation->message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_LABEL));
    operation->message[length] = 0;
    length++;
    compose_append(operation->message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_CONTEXT));
    compose_put_number(operation->message + length, (uint32_t)inputs->capacity * 8);
    operation->message_length = (uint16_t)(length + 4);
    operation->block_length = (uint8_t)block_length;
    operation->used = operation->block_length;
    return compose_prf_set_key(&operation->prf, mac_alg,
                               corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET));
}

psa_status_t compose_counter_kdf_hmac_setup(compose_counter_kdf_operation_t *operation,
                                            psa_algorithm_t alg,
                                            const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    return start(operation, compose_hmac_of(alg), corral_hash_length(PSA_ALG_GET_HASH(alg)),
                 inputs);
}

psa_status_t compose_counter_kdf_cmac_setup(compose_counter_kdf_operation_t *operation,
                                            psa_algorithm_t alg,
                                            const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    uint8_t *const message = operation->message;

    (void)alg;
    psa_status_t status = start(operation, PSA_ALG_CMAC, CMAC_LENGTH, inputs);
    if (status == PSA_SUCCESS) {
        /* K0, of the message without counter, keeps whoever knows the key from choosing output. */
        status = compose_prf_compute(&operation->prf, message + COUNTER,
                                     operation->message_length - COUNTER, operation->block,
                                     sizeof operation->block);
    }
    if (status == PSA_SUCCESS) {
        memcpy(message + operation->message_length, operation->block, CMAC_LENGTH);
        operation->message_length = (uint16_t)(operation->message_length + CMAC_LENGTH);
    }
    return status;
}

static psa_status_t next_block(compose_counter_kdf_operation_t *operation)
{
    operation->counter++;
    compose_put_number(operation->message, operation->counter);
    operation->used = 0;
    return compose_prf_compute(&operation->prf, operation->message, operation->message_length,
                               operation->block, sizeof operation->block);
}

psa_status_t compose_counter_kdf_output_bytes(compose_counter_kdf_operation_t *operation,
                                              uint8_t *output, size_t output_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && output_length > 0) {
        if (operation->used == operation->block_length) {
            status = next_block(operation);
        }
        if (status == PSA_SUCCESS) {
            compose_take(operation->block, operation->block_length, &operation->used, &output,
                         &output_length);
        }
    }
    return status;
}

psa_status_t compose_counter_kdf_abort(compose_counter_kdf_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
