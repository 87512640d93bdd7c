/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over p256-m: secp256r1 only. Dispatch calls them for the mechanisms of driver.json,
 * with key type, key size and algorithm matched; argument order is that of the PSA Crypto Driver
 * Interface 1.0. Sizes are in bytes; *..._length and *bits are written on success only.
 *   PSA_ERROR_BUFFER_TOO_SMALL      nothing was written
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable scalar in 4 draws
 */
#ifndef P256M_DRIVER_H
#define P256M_DRIVER_H

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Check a private key (1 to n - 1) or a public key (on the curve) and copy it.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 */
psa_status_t p256m_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                     size_t data_length, uint8_t *key_buffer,
                                     size_t key_buffer_size, size_t *key_buffer_length,
                                     size_t *bits);

/* Draw a private key (32 bytes); its public key (65 bytes) follows it if there is room for both. */
psa_status_t p256m_driver_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length);

/*
 * Compute the public key (04 || X || Y) of a private key.
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_export_public_key(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            uint8_t *data, size_t data_size, size_t *data_length);

/*
 * ECDSA with a random nonce: r || s over a digest of any length, truncated as SEC 1 says.
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_sign_hash(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                    uint8_t *signature, size_t signature_size,
                                    size_t *signature_length);

/*
 * Verify r || s with a public key.
 *   PSA_ERROR_INVALID_SIGNATURE    not a signature by this key, or not of 64 bytes
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored public key is not a point of the curve
 */
psa_status_t p256m_driver_verify_hash(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      const uint8_t *signature, size_t signature_length);

/*
 * ECDH: the X coordinate of the shared point, 32 bytes.
 *   PSA_ERROR_INVALID_ARGUMENT     the peer's key is not a point of the curve in PSA's format
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        const uint8_t *peer_key, size_t peer_key_length,
                                        uint8_t *output, size_t output_size, size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
