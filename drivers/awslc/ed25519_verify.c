/* SPDX-License-Identifier: Apache-2.0 */
/* Verification of Ed25519 and Ed25519ph, with the cofactor (RFC 8032). */
#include <corral/drivers/awslc/entry_points.h>

#include "curve25519.h"

static psa_status_t verify(const struct awslc_text25519 *text, const uint8_t *signature,
                           size_t signature_length, const uint8_t *public_key)
{
    if (!awslc_fits_25519(text)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return signature_length == AWSLC_SIGNATURE25519_SIZE &&
                   awslc_ed25519_verify(text, signature, public_key)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t awslc_ed25519_verify_message(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *input,
                                          size_t input_length, const uint8_t *signature,
                                          size_t signature_length)
{
    const struct awslc_text25519 text = {input, input_length, false, NULL, 0};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return verify(&text, signature, signature_length, key_buffer);
}

/*
 * Verify a signature of the SHA-512 of a message, with a context.
 *   PSA_ERROR_INVALID_ARGUMENT  the hash has not 64 bytes, or the context more than 255
 */
psa_status_t awslc_ed25519ph_verify_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length)
{
    const struct awslc_text25519 text = {hash, hash_length, true, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return verify(&text, signature, signature_length, key_buffer);
}

/* The same with the empty context. */
psa_status_t awslc_ed25519ph_verify_hash(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *hash,
                                         size_t hash_length, const uint8_t *signature,
                                         size_t signature_length)
{
    return awslc_ed25519ph_verify_hash_with_context(attributes, key_buffer, key_buffer_size, alg,
                                                    hash, hash_length, NULL, 0, signature,
                                                    signature_length);
}
