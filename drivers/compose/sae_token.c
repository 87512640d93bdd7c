/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <corral/dispatch/hash.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>

/* HKDF-Extract, with the SSID for a salt and the identifier behind the password. */
psa_status_t compose_sae_token_setup(compose_sae_token_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    static const uint8_t zeros[CORRAL_HASH_MAX_LENGTH];
    const struct corral_derivation_input *const ssid =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SALT);
    const bool is_named = ssid->length > 0;
    const size_t key_length = is_named ? ssid->length : corral_hash_length(PSA_ALG_GET_HASH(alg));
    const psa_key_attributes_t attributes = compose_hmac_key(key_length);
    uint8_t message[CORRAL_SINGLE_KEY_MAX_SIZE + CORRAL_DERIVATION_INPUT_MAX_SIZE];
    size_t length = 0;

    compose_append(message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_PASSWORD));
    compose_append(message, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_INFO));
    psa_status_t status = corral_dispatch_mac_compute(
        &attributes, is_named ? ssid->data : zeros, key_length, compose_hmac_of(alg), message,
        length, operation->key, sizeof operation->key, &length);
    corral_wipe(message, sizeof message);
    return status;
}

psa_status_t compose_sae_token_output_bytes(compose_sae_token_operation_t *operation,
                                            uint8_t *output, size_t output_length)
{
    return compose_hkdf_extract_output_bytes(operation, output, output_length);
}

psa_status_t compose_sae_token_abort(compose_sae_token_operation_t *operation)
{
    return compose_hkdf_extract_abort(operation);
}
