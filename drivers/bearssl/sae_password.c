/* SPDX-License-Identifier: Apache-2.0 */
#include "sae.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>
#include <inner.h>

/* Candidates of looping: all of them are looked at, whichever is good (12.4.4.2.2). */
#define CANDIDATES 40

#define MAX_LABEL 32
#define LONGEST_PASSWORD (CORRAL_SINGLE_KEY_MAX_SIZE + 1)

psa_status_t bearssl_driver_sae_hmac(psa_algorithm_t hash, const uint8_t *key, size_t key_length,
                                     const uint8_t *message, size_t length, uint8_t *output)
{
    static const uint8_t zeros[CORRAL_HASH_MAX_LENGTH];
    const size_t hash_length = corral_hash_length(hash);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    /* HMAC pads a key with zeros, so as many as one likes are the same as none. */
    if (key_length == 0) {
        key = zeros;
        key_length = hash_length;
    }
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_bits(&attributes, 8 * key_length);
    return corral_dispatch_mac_compute(&attributes, key, key_length, PSA_ALG_HMAC(hash), message,
                                       length, output, hash_length, &length);
}

static void put_number(uint8_t output[2], size_t number)
{
    output[0] = (uint8_t)number;
    output[1] = (uint8_t)(number >> 8);
}

/* Shift right by less than a byte. */
static void shift(uint8_t *data, size_t size, unsigned count)
{
    unsigned carry = 0;

    for (size_t i = 0; i < size; i++) {
        carry = carry << 8 | data[i];
        data[i] = (uint8_t)(carry >> count);
    }
}

psa_status_t bearssl_driver_sae_kdf(psa_algorithm_t hash, const uint8_t *key, const char *label,
                                    const uint8_t *context, size_t context_length, uint8_t *output,
                                    size_t bits)
{
    uint8_t message[2 + MAX_LABEL + BEARSSL_SAE_SCALAR_SIZE + 2];
    uint8_t block[CORRAL_HASH_MAX_LENGTH];
    const size_t hash_length = corral_hash_length(hash);
    const size_t label_length = strlen(label);
    const size_t length = 2 + label_length + context_length + 2;
    const size_t size = (bits + 7) / 8;
    psa_status_t status = PSA_SUCCESS;
    size_t done = 0;

    corral_copy(message + 2, (const uint8_t *)label, label_length);
    memcpy(message + 2 + label_length, context, context_length);
    put_number(message + length - 2, bits);
    while (status == PSA_SUCCESS && done < size) {
        const size_t part = size - done < hash_length ? size - done : hash_length;

        put_number(message, done / hash_length + 1);
        status = bearssl_driver_sae_hmac(hash, key, hash_length, message, length, block);
        if (status == PSA_SUCCESS) {
            memcpy(output + done, block, part);
        }
        done += part;
    }
    if (status == PSA_SUCCESS) {
        shift(output, size, (unsigned)(8 * size - bits));
    }
    corral_wipe(message, sizeof message);
    corral_wipe(block, sizeof block);
    return status;
}

/* The seed of a candidate, and the candidate that comes from it. */
static psa_status_t make_candidate(const struct bearssl_driver_sae_group *group,
                                   const uint8_t *message, size_t length, const uint8_t *addresses,
                                   uint8_t *seed, uint8_t *value)
{
    psa_status_t status = bearssl_driver_sae_hmac(PSA_ALG_SHA_256, addresses,
                                                  2 * CORRAL_SAE_MAC_SIZE, message, length, seed);

    return status == PSA_SUCCESS
               ? bearssl_driver_sae_kdf(PSA_ALG_SHA_256, seed, "SAE Hunting and Pecking",
                                        group->prime, group->size, value, group->bits)
               : status;
}

psa_status_t bearssl_driver_sae_loop(const struct bearssl_driver_sae_group *group,
                                     const uint8_t *password, size_t length,
                                     const uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE],
                                     uint8_t *element)
{
    uint8_t message[LONGEST_PASSWORD];
    uint8_t seed[CORRAL_HASH_MAX_LENGTH];
    uint8_t value[BEARSSL_SAE_SCALAR_SIZE];
    uint8_t candidate[BEARSSL_SAE_ELEMENT_SIZE];
    uint32_t is_found = 0;
    psa_status_t status = PSA_SUCCESS;

    memcpy(message, password, length);
    for (uint8_t i = 1; i <= CANDIDATES && status == PSA_SUCCESS; i++) {
        message[length] = i;
        status = make_candidate(group, message, length + 1, addresses, seed, value);
        if (status == PSA_SUCCESS) {
            const uint32_t is_good =
                bearssl_driver_sae_try(group, value, seed[32 - 1] & 1u, candidate);
            CCOPY(is_good & (is_found ^ 1), element, candidate, group->element_size);
            is_found |= is_good;
        }
    }
    corral_wipe(message, sizeof message);
    corral_wipe(seed, sizeof seed);
    corral_wipe(value, sizeof value);
    corral_wipe(candidate, sizeof candidate);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return is_found == 1 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

/* A scalar of two addresses: their HMAC modulo the order less one, plus one. */
static psa_status_t make_scalar(const struct bearssl_driver_sae_group *group,
                                const uint8_t *addresses, uint8_t *scalar)
{
    const psa_algorithm_t hash = corral_sae_hash(group->curve == NULL, group->bits);
    uint8_t digest[CORRAL_HASH_MAX_LENGTH];
    struct bearssl_driver_modulus modulus;
    bearssl_driver_number x;

    psa_status_t status =
        bearssl_driver_sae_hmac(hash, NULL, 0, addresses, 2 * CORRAL_SAE_MAC_SIZE, digest);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* The order is odd: one less differs from it in the last bit. */
    bearssl_driver_sae_order(group, scalar);
    scalar[group->size - 1] = (uint8_t)(scalar[group->size - 1] - 1);
    bearssl_driver_modulus_open(&modulus, scalar, group->size);
    bearssl_driver_modulus_reduce(&modulus, x, digest, corral_hash_length(hash));
    bearssl_driver_modulus_write(x, scalar, group->size);
    bearssl_driver_modulus_increment(scalar, group->size);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sae_element(const struct bearssl_driver_sae_group *group,
                                        const uint8_t *token,
                                        const uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE],
                                        uint8_t *element)
{
    uint8_t scalar[BEARSSL_SAE_SCALAR_SIZE];

    psa_status_t status = make_scalar(group, addresses, scalar);
    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(element, token, group->element_size);
    return bearssl_driver_sae_multiply(group, element, scalar) ? PSA_SUCCESS
                                                               : PSA_ERROR_DATA_INVALID;
}
