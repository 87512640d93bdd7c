/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

static psa_key_derivation_operation_t operation;

static bool bytes(psa_key_derivation_step_t step)
{
    return DID(psa_key_derivation_input_bytes(&operation, step, (const uint8_t *)"bytes", 5));
}

/* The secret of EC J-PAKE is a point, and never a key. */
static bool secret(psa_key_derivation_step_t step)
{
    static const uint8_t point[65] = {4};
    psa_key_id_t key;

    if (ALG == PSA_ALG_TLS12_ECJPAKE_TO_PMS) {
        return DID(psa_key_derivation_input_bytes(&operation, step, point, sizeof point));
    }
    return create(PSA_KEY_USAGE_DERIVE, &key) &&
           DID(psa_key_derivation_input_key(&operation, step, key));
}

/* In the order of the algorithm: PSA Crypto 1.5, 10.8.1. */
static bool give(void)
{
    if (PSA_ALG_IS_PBKDF2_HMAC(ALG) || ALG == PSA_ALG_PBKDF2_AES_CMAC_PRF_128) {
        return DID(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST,
                                                    2)) &&
               bytes(PSA_KEY_DERIVATION_INPUT_SALT) && secret(PSA_KEY_DERIVATION_INPUT_PASSWORD);
    }
    if (PSA_ALG_IS_TLS12_PRF(ALG) || PSA_ALG_IS_TLS12_PSK_TO_MS(ALG)) {
        return bytes(PSA_KEY_DERIVATION_INPUT_SEED) && secret(PSA_KEY_DERIVATION_INPUT_SECRET) &&
               bytes(PSA_KEY_DERIVATION_INPUT_LABEL);
    }
    if (PSA_ALG_IS_WPA3_SAE_H2E(ALG)) {
        return bytes(PSA_KEY_DERIVATION_INPUT_SALT) && secret(PSA_KEY_DERIVATION_INPUT_PASSWORD);
    }
    if (PSA_ALG_IS_HKDF_EXTRACT(ALG)) {
        return bytes(PSA_KEY_DERIVATION_INPUT_SALT) && secret(PSA_KEY_DERIVATION_INPUT_SECRET);
    }
    if (!secret(PSA_KEY_DERIVATION_INPUT_SECRET) || ALG == PSA_ALG_TLS12_ECJPAKE_TO_PMS) {
        return ALG == PSA_ALG_TLS12_ECJPAKE_TO_PMS;
    }
    if (PSA_ALG_IS_HKDF(ALG) || PSA_ALG_IS_HKDF_EXPAND(ALG)) {
        return bytes(PSA_KEY_DERIVATION_INPUT_INFO);
    }
    return bytes(PSA_KEY_DERIVATION_INPUT_LABEL) && bytes(PSA_KEY_DERIVATION_INPUT_CONTEXT);
}

/* Hashing to an element only gives keys of one type, which is another mechanism. */
bool use(void)
{
    uint8_t output[PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE];
    size_t length = sizeof output;

    if (PSA_ALG_IS_HKDF_EXTRACT(ALG)) {
        length = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(ALG)) < length ? 16 : length;
    }
    return DID(psa_key_derivation_setup(&operation, ALG)) && give() &&
           (PSA_ALG_IS_WPA3_SAE_H2E(ALG) ||
            DID(psa_key_derivation_output_bytes(&operation, output, length))) &&
           DID(psa_key_derivation_abort(&operation));
}
