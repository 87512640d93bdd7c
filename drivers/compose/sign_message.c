/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/compose/entry_points.h>

#include <corral/dispatch/sign.h>
#include <corral/driver.h>

#include "hash_message.h"

/*
 * Sign a message by hashing it and signing the hash, wherever the key lives (Driver Interface 1.0,
 * sign_message).
 *   PSA_ERROR_NOT_SUPPORTED  the build lacks the hash, or nobody signs hashes with this key
 */
psa_status_t compose_sign_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                  size_t input_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length)
{
    struct hash hash;

    psa_status_t status = hash_message(alg, input, input_length, &hash);
    if (status == PSA_SUCCESS) {
        status =
            corral_dispatch_sign_hash(attributes, key_buffer, key_buffer_size, alg, hash.data,
                                      hash.length, signature, signature_size, signature_length);
    }
    corral_wipe(&hash, sizeof hash);
    return status;
}

/*
 * Verify the signature of a message by hashing it and verifying the signature of the hash.
 *   PSA_ERROR_INVALID_SIGNATURE  it is not that key's signature of this message
 *   PSA_ERROR_NOT_SUPPORTED      as above
 */
psa_status_t compose_verify_message(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                    const uint8_t *signature, size_t signature_length)
{
    struct hash hash;

    psa_status_t status = hash_message(alg, input, input_length, &hash);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_verify_hash(attributes, key_buffer, key_buffer_size, alg,
                                             hash.data, hash.length, signature, signature_length);
    }
    corral_wipe(&hash, sizeof hash);
    return status;
}
