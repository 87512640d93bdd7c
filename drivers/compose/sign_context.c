/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/compose/entry_points.h>

#include <corral/dispatch/sign.h>
#include <corral/driver.h>

#include "hash_message.h"

/* As in sign_message.c, with a context that is signed with the hash. */
psa_status_t compose_sign_message_with_context(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, const uint8_t *context,
                                               size_t context_length, uint8_t *signature,
                                               size_t signature_size, size_t *signature_length)
{
    struct hash hash;

    psa_status_t status = hash_message(alg, input, input_length, &hash);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_sign_hash_with_context(
            attributes, key_buffer, key_buffer_size, alg, hash.data, hash.length, context,
            context_length, signature, signature_size, signature_length);
    }
    corral_wipe(&hash, sizeof hash);
    return status;
}

psa_status_t compose_verify_message_with_context(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *context,
                                                 size_t context_length, const uint8_t *signature,
                                                 size_t signature_length)
{
    struct hash hash;

    psa_status_t status = hash_message(alg, input, input_length, &hash);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_verify_hash_with_context(
            attributes, key_buffer, key_buffer_size, alg, hash.data, hash.length, context,
            context_length, signature, signature_length);
    }
    corral_wipe(&hash, sizeof hash);
    return status;
}
