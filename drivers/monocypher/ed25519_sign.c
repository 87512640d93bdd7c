/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ed25519 and Ed25519ph signatures (RFC 8032). A slot keeps only the seed, so each
 * signature expands it again; the expanded key is wiped.
 */
#include <corral/drivers/monocypher/entry_points.h>

#include "ed25519_point.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <monocypher-ed25519.h>

#define SHA_512_LENGTH 64

struct expanded_key {
    uint8_t secret[2 * ED25519_KEY_SIZE];
    uint8_t public_key[ED25519_KEY_SIZE];
};

static void expand(struct expanded_key *key, const uint8_t *seed)
{
    uint8_t copy[ED25519_KEY_SIZE]; /* the library wipes it */

    memcpy(copy, seed, sizeof(copy));
    crypto_ed25519_key_pair(key->secret, key->public_key, copy);
}

/*
 * Ed25519 (of a message) and Ed25519ph (of its SHA-512) signatures of 64 bytes, without context.
 *   PSA_ERROR_INVALID_ARGUMENT   Ed25519ph: the hash has not 64 bytes
 */
psa_status_t monocypher_driver_ed25519_sign_message(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *input, size_t input_length,
                                                    uint8_t *signature, size_t signature_size,
                                                    size_t *signature_length)
{
    struct expanded_key key;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_size < ED25519_SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    expand(&key, key_buffer);
    crypto_ed25519_sign(signature, key.secret, input, input_length);
    monocypher_driver_wipe_stack_ed25519();
    corral_wipe(&key, sizeof(key));
    *signature_length = ED25519_SIGNATURE_SIZE;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_ed25519ph_sign_hash(const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg,
                                                   const uint8_t *hash, size_t hash_length,
                                                   uint8_t *signature, size_t signature_size,
                                                   size_t *signature_length)
{
    struct expanded_key key;
    uint8_t copy[SHA_512_LENGTH];

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (hash_length != SHA_512_LENGTH) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_size < ED25519_SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* Read twice, and if it changed meanwhile, two signatures would have one nonce. */
    memcpy(copy, hash, sizeof copy);
    expand(&key, key_buffer);
    crypto_ed25519_ph_sign(signature, key.secret, copy);
    monocypher_driver_wipe_stack_ed25519();
    corral_wipe(&key, sizeof(key));
    *signature_length = ED25519_SIGNATURE_SIZE;
    return PSA_SUCCESS;
}
