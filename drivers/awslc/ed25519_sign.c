/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures with Ed25519 and Ed25519ph (RFC 8032). A slot keeps only the seed. */
#include <corral/drivers/awslc/entry_points.h>

#include "curve25519.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <openssl/curve25519.h>

/*
 * Sign. The library reads its half of a signature again, and a hash twice. If another thread
 * changed one meanwhile, or the signature lay over the message, two signatures would have one
 * nonce. The library gets copies of both.
 */
static psa_status_t sign(const uint8_t *seed, const struct awslc_text25519 *text,
                         uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    uint8_t made[ED25519_SIGNATURE_LEN];
    uint8_t hash[AWSLC_HASH25519_SIZE];
    uint8_t public_key[ED25519_PUBLIC_KEY_LEN];
    uint8_t pair[ED25519_PRIVATE_KEY_LEN];
    int is_made;

    if (!awslc_fits_25519(text)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < sizeof made) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    ED25519_keypair_from_seed(public_key, pair, seed);
    if (text->is_hash) {
        memcpy(hash, text->input, sizeof hash);
        is_made = ED25519ph_sign_digest(made, hash, pair, text->context, text->context_length);
    } else {
        is_made = ED25519_sign(made, text->input, text->input_length, pair);
    }
    awslc_wipe_stack_curve25519();
    corral_wipe(pair, sizeof pair);
    if (is_made != 1) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    memcpy(signature, made, sizeof made);
    *signature_length = sizeof made;
    return PSA_SUCCESS;
}

/*
 * Sign a message with Ed25519.
 *   PSA_ERROR_CORRUPTION_DETECTED  the library failed, for which this version has no reason
 */
psa_status_t awslc_ed25519_sign_message(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length)
{
    const struct awslc_text25519 text = {input, input_length, false, NULL, 0};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return sign(key_buffer, &text, signature, signature_size, signature_length);
}

/*
 * Sign the SHA-512 of a message with Ed25519ph and a context.
 *   PSA_ERROR_INVALID_ARGUMENT     the hash has not 64 bytes, or the context more than 255
 *   PSA_ERROR_CORRUPTION_DETECTED  as above
 */
psa_status_t awslc_ed25519ph_sign_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length)
{
    const struct awslc_text25519 text = {hash, hash_length, true, context, context_length};

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    return sign(key_buffer, &text, signature, signature_size, signature_length);
}

/* The same with the empty context. */
psa_status_t awslc_ed25519ph_sign_hash(const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                       uint8_t *signature, size_t signature_size,
                                       size_t *signature_length)
{
    return awslc_ed25519ph_sign_hash_with_context(attributes, key_buffer, key_buffer_size, alg,
                                                  hash, hash_length, NULL, 0, signature,
                                                  signature_size, signature_length);
}
