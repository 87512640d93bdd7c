/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>

/* PRK = HMAC(salt, secret); an empty salt is as many zeros as the hash has bytes. */
static psa_status_t extract(psa_algorithm_t alg,
                            const psa_crypto_driver_key_derivation_inputs_t *inputs, uint8_t *key,
                            size_t key_size, size_t *key_length)
{
    static const uint8_t zeros[CORRAL_HASH_MAX_LENGTH];
    const struct corral_derivation_input *const secret =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET);
    const struct corral_derivation_input *const salt =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SALT);
    const bool is_salted = salt->length > 0;
    const size_t salt_length = is_salted ? salt->length : corral_hash_length(PSA_ALG_GET_HASH(alg));
    const psa_key_attributes_t attributes = compose_hmac_key(salt_length);

    return corral_dispatch_mac_compute(&attributes, is_salted ? salt->data : zeros, salt_length,
                                       compose_hmac_of(alg), secret->data, secret->length, key,
                                       key_size, key_length);
}

/* The parts of the message that stay. */
static void keep_info(compose_hkdf_operation_t *operation, psa_algorithm_t alg,
                      const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    const struct corral_derivation_input *const info =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_INFO);
    size_t length = corral_hash_length(PSA_ALG_GET_HASH(alg));

    operation->hash_length = (uint8_t)length;
    operation->used = operation->hash_length;
    compose_append(operation->message, &length, info);
    operation->info_length = (uint16_t)info->length;
}

psa_status_t compose_hkdf_setup(compose_hkdf_operation_t *operation, psa_algorithm_t alg,
                                const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    size_t length = 0;

    psa_status_t status =
        extract(alg, inputs, operation->prf.key, sizeof operation->prf.key, &length);
    if (status == PSA_SUCCESS) {
        operation->prf.alg = compose_hmac_of(alg);
        operation->prf.attributes = compose_hmac_key(length);
        operation->prf.key_length = (uint16_t)length;
        keep_info(operation, alg, inputs);
    }
    return status;
}

psa_status_t compose_hkdf_expand_setup(compose_hkdf_operation_t *operation, psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    psa_status_t status =
        compose_prf_set_key(&operation->prf, compose_hmac_of(alg),
                            corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SECRET));
    if (status == PSA_SUCCESS) {
        keep_info(operation, alg, inputs);
    }
    return status;
}

/* T(n) = HMAC(PRK, T(n - 1) | info | n), where T(0) is empty. */
static psa_status_t next_block(compose_hkdf_operation_t *operation)
{
    uint8_t block[CORRAL_HASH_MAX_LENGTH];
    const size_t hash_length = operation->hash_length;
    const size_t skipped = operation->counter == 0 ? hash_length : 0;
    const size_t last = hash_length + operation->info_length;

    operation->counter++;
    operation->message[last] = operation->counter;
    psa_status_t status = compose_prf_compute(&operation->prf, operation->message + skipped,
                                              last + 1 - skipped, block, sizeof block);
    if (status == PSA_SUCCESS) {
        memcpy(operation->message, block, hash_length);
        operation->used = 0;
    }
    corral_wipe(block, sizeof block);
    return status;
}

psa_status_t compose_hkdf_output_bytes(compose_hkdf_operation_t *operation, uint8_t *output,
                                       size_t output_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && output_length > 0) {
        if (operation->used == operation->hash_length) {
            status = next_block(operation);
        }
        if (status == PSA_SUCCESS) {
            compose_take(operation->message, operation->hash_length, &operation->used, &output,
                         &output_length);
        }
    }
    return status;
}

psa_status_t compose_hkdf_abort(compose_hkdf_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t compose_hkdf_extract_setup(compose_hkdf_extract_operation_t *operation,
                                        psa_algorithm_t alg,
                                        const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    size_t length = 0;

    return extract(alg, inputs, operation->key, sizeof operation->key, &length);
}

psa_status_t compose_hkdf_extract_output_bytes(compose_hkdf_extract_operation_t *operation,
                                               uint8_t *output, size_t output_length)
{
    compose_take(operation->key, sizeof operation->key, &operation->used, &output, &output_length);
    return PSA_SUCCESS;
}

psa_status_t compose_hkdf_extract_abort(compose_hkdf_extract_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
