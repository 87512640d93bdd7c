/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/p256m/entry_points.h>

#include "p256m_glue.h"

#include <corral/driver.h>
#include <p256-m.h>

/*
 * ECDSA with a random nonce: r || s over a digest of any length, truncated as SEC 1 says.
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_sign_hash(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                    uint8_t *signature, size_t signature_size,
                                    size_t *signature_length)
{
    uint8_t digest[P256M_SCALAR_SIZE];
    int result;

    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_size < P256M_SIGNATURE_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* The library writes r before it reads the hash, of which it reads so many bytes at most. */
    if (corral_overlap(hash, hash_length, signature, P256M_SIGNATURE_SIZE)) {
        hash_length = hash_length < sizeof digest ? hash_length : sizeof digest;
        corral_copy(digest, hash, hash_length);
        hash = digest;
    }
    result = p256_ecdsa_sign(signature, key_buffer, hash, hash_length);
    p256m_driver_wipe_stack();
    *signature_length = P256M_SIGNATURE_SIZE;
    return p256m_driver_status(result);
}

/*
 * Verify r || s with a public key.
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored public key is not a point of the curve
 */
psa_status_t p256m_driver_verify_hash(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      const uint8_t *signature, size_t signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (signature_length != P256M_SIGNATURE_SIZE) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return p256m_driver_status(p256_ecdsa_verify(signature, key_buffer + 1, hash, hash_length));
}
