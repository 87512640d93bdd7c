/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../show.h"
#include "keys.h"

#define ECB PSA_ALG_ECB_NO_PADDING

psa_status_t keys_import(psa_key_location_t location, psa_algorithm_t alg,
                         const uint8_t value[BLOCK], psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, location));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes,
                            alg == CODE ? PSA_KEY_USAGE_SIGN_MESSAGE : PSA_KEY_USAGE_ENCRYPT);
    psa_set_key_algorithm(&attributes, alg);
    return psa_import_key(&attributes, value, BLOCK, key);
}

psa_status_t keys_encrypt(psa_key_id_t key, const uint8_t block[BLOCK], uint8_t output[BLOCK])
{
    size_t length;

    return psa_cipher_encrypt(key, ECB, block, BLOCK, output, BLOCK, &length);
}

psa_status_t keys_derive(psa_key_id_t root, uint8_t kind, const uint8_t *input, size_t size,
                         psa_key_location_t location, psa_algorithm_t alg, psa_key_id_t *key)
{
    uint8_t block[BLOCK] = {kind};
    uint8_t value[BLOCK];

    memcpy(block + 1, input, size);
    const psa_status_t status = keys_encrypt(root, block, value);
    return THEN(status, keys_import(location, alg, value, key));
}

psa_status_t keys_code(psa_key_id_t key, const uint8_t *block, size_t block_size,
                       const uint8_t *message, size_t size, uint8_t code[CODE_SIZE])
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    size_t length;

    psa_status_t status = psa_mac_sign_setup(&operation, key, CODE);
    status = THEN(status, psa_mac_update(&operation, block, block_size));
    status = THEN(status, psa_mac_update(&operation, message, size));
    status = THEN(status, psa_mac_sign_finish(&operation, code, CODE_SIZE, &length));
    (void)psa_mac_abort(&operation);
    return status;
}

psa_status_t keys_encrypt_payload(psa_key_id_t key, const uint8_t start[BLOCK], uint8_t *payload,
                                  size_t size)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t length;

    psa_status_t status = psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR);
    status = THEN(status, psa_cipher_set_iv(&operation, start, BLOCK));
    status = THEN(status, psa_cipher_update(&operation, payload, size, payload, size, &length));
    (void)psa_cipher_abort(&operation);
    return status;
}
