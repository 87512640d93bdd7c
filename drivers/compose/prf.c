/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>

psa_key_attributes_t compose_hmac_key(size_t length)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = PSA_KEY_TYPE_HMAC;
    attributes.bits = (uint16_t)(8 * length);
    return attributes;
}

static bool is_of_element(const struct corral_derivation_input *secret)
{
    return CORRAL_ELEMENT_COUNT != 0 && secret->attributes != NULL &&
           PSA_KEY_LIFETIME_GET_LOCATION(secret->attributes->lifetime) !=
               PSA_KEY_LOCATION_LOCAL_STORAGE;
}

psa_status_t compose_prf_set_key(compose_prf_t *prf, psa_algorithm_t mac_alg,
                                 const struct corral_derivation_input *secret)
{
    const psa_algorithm_t hash_alg = PSA_ALG_GET_HASH(mac_alg);

    prf->alg = mac_alg;
    prf->key_length = (uint16_t)secret->length;
    prf->attributes = compose_hmac_key(secret->length);
    if (secret->attributes != NULL) {
        prf->attributes = *secret->attributes;
        /* What serves HMAC knows no other type, whatever the key was made for. */
        if (PSA_ALG_IS_HMAC(mac_alg)) {
            prf->attributes.type = PSA_KEY_TYPE_HMAC;
        }
    }
    if (PSA_ALG_IS_HMAC(mac_alg) && !is_of_element(secret) &&
        secret->length > corral_hash_block_length(hash_alg)) {
        size_t length = 0;
        psa_status_t status = corral_dispatch_hash_compute(hash_alg, secret->data, secret->length,
                                                           prf->key, sizeof prf->key, &length);
        prf->key_length = (uint16_t)length;
        prf->attributes.bits = (uint16_t)(8 * length);
        return status;
    }
    if (secret->length > sizeof prf->key) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    memcpy(prf->key, secret->data, secret->length);
    return PSA_SUCCESS;
}

psa_status_t compose_prf_compute(const compose_prf_t *prf, const uint8_t *input,
                                 size_t input_length, uint8_t *output, size_t output_size)
{
    size_t length;

    return corral_dispatch_mac_compute(&prf->attributes, prf->key, prf->key_length, prf->alg, input,
                                       input_length, output, output_size, &length);
}

void compose_put_number(uint8_t output[4], uint32_t number)
{
    output[0] = (uint8_t)(number >> 24);
    output[1] = (uint8_t)(number >> 16);
    output[2] = (uint8_t)(number >> 8);
    output[3] = (uint8_t)number;
}

void compose_append(uint8_t *message, size_t *length, const struct corral_derivation_input *input)
{
    memcpy(message + *length, input->data, input->length);
    *length += input->length;
}

void compose_take(const uint8_t *block, size_t block_length, uint8_t *used, uint8_t **output,
                  size_t *wanted)
{
    const size_t left = block_length - *used;
    const size_t taken = left < *wanted ? left : *wanted;

    memcpy(*output, block + *used, taken);
    *used = (uint8_t)(*used + taken);
    *output += taken;
    *wanted -= taken;
}
