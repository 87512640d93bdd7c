/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures that are bound to a context, which crosses with the message or hash. */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"

psa_status_t remote_sign_hash_with_context(const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg, const uint8_t *hash,
                                           size_t hash_length, const uint8_t *context,
                                           size_t context_length, uint8_t *signature,
                                           size_t signature_size, size_t *signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return corral_remote_sign_hash_with_context(remote_id(key_buffer), alg, hash, hash_length,
                                                context, context_length, signature, signature_size,
                                                signature_length);
}

/* PSA_ERROR_INSUFFICIENT_MEMORY: message, context and signature do not fit the wall's buffer. */
psa_status_t remote_sign_message_with_context(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, const uint8_t *context,
                                              size_t context_length, uint8_t *signature,
                                              size_t signature_size, size_t *signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return corral_remote_sign_message_with_context(remote_id(key_buffer), alg, input, input_length,
                                                   context, context_length, signature,
                                                   signature_size, signature_length);
}
