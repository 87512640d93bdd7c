/* SPDX-License-Identifier: Apache-2.0 */
/* Verification with the cofactor (RFC 8032, 5.1.7); S is below the group's order, R canonical. */
#include <corral/drivers/monocypher/entry_points.h>

#include "ed25519_point.h"

#include <monocypher-ed25519.h>

#define SHA_512_LENGTH 64

psa_status_t monocypher_driver_ed25519_verify_message(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, psa_algorithm_t alg,
                                                      const uint8_t *input, size_t input_length,
                                                      const uint8_t *signature,
                                                      size_t signature_length)
{
    uint8_t copy[ED25519_SIGNATURE_SIZE];

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (!monocypher_driver_take_signature(copy, signature, signature_length) ||
        crypto_ed25519_check(copy, key_buffer, input, input_length) != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_ed25519ph_verify_hash(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg,
                                                     const uint8_t *hash, size_t hash_length,
                                                     const uint8_t *signature,
                                                     size_t signature_length)
{
    uint8_t copy[ED25519_SIGNATURE_SIZE];

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (hash_length != SHA_512_LENGTH) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!monocypher_driver_take_signature(copy, signature, signature_length) ||
        crypto_ed25519_ph_check(copy, key_buffer, hash) != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return PSA_SUCCESS;
}
