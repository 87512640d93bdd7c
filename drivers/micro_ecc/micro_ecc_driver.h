/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over micro-ecc. Dispatch calls them for the mechanisms of driver.json only, with key
 * type, key size and algorithm matched; argument order is that of the PSA Crypto Driver Interface
 * 1.0. The curve is the key's.
 */
#ifndef MICRO_ECC_DRIVER_H
#define MICRO_ECC_DRIVER_H

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tie the library's generator to corral_random(). Always succeeds. */
psa_status_t micro_ecc_driver_init(void);

/*
 * Check a private key against the order n of the curve (1 to n - 1, in a time that does not depend
 * on it) or a public key (on the curve) and copy it. *key_buffer_length and *bits are written on
 * success only.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 *   PSA_ERROR_BUFFER_TOO_SMALL  the key is longer than key_buffer_size
 */
psa_status_t micro_ecc_driver_import_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits);

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 *   PSA_ERROR_BUFFER_TOO_SMALL      no room for the private key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no valid scalar in 64 draws
 */
psa_status_t micro_ecc_driver_generate_key(const psa_key_attributes_t *attributes,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length);

/*
 * Compute the public key of a private key.
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the point
 *   PSA_ERROR_NOT_SUPPORTED     the library cannot compute with this private key: 1, n - 2, n - 1
 */
psa_status_t micro_ecc_driver_export_public_key(const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                uint8_t *data, size_t data_size,
                                                size_t *data_length);

/*
 * ECDSA with a random nonce: r || s over a digest of any length, truncated as SEC 1 says. The
 * digest may overlap the signature.
 *   PSA_ERROR_BUFFER_TOO_SMALL      signature_size is less than r || s
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable nonce in 64 draws
 */
psa_status_t micro_ecc_driver_sign_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);

/*
 * Verify r || s with a public key.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of the curve's length
 */
psa_status_t micro_ecc_driver_verify_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);

/*
 * ECDH: the X coordinate of the shared point.
 *   PSA_ERROR_BUFFER_TOO_SMALL      output_size is less than a coordinate
 *   PSA_ERROR_INVALID_ARGUMENT      the peer's key is not a point of the curve in PSA's format
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no mask for the coordinates
 *   PSA_ERROR_NOT_SUPPORTED         the library cannot compute with this pair of keys (README)
 */
psa_status_t micro_ecc_driver_key_agreement(psa_algorithm_t alg,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            const uint8_t *peer_key, size_t peer_key_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
