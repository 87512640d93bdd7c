/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over micro-ecc, one set for each curve, so that unused curves are not linked.
 * Dispatch calls them for the mechanisms of driver.json only, with key type, key size and algorithm
 * matched; argument order is that of the PSA Crypto Driver Interface 1.0. What each does, and each
 * status, is described in ecc.h under the same last word.
 */
#ifndef MICRO_ECC_DRIVER_H
#define MICRO_ECC_DRIVER_H

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tie the library's generator to corral_random(). Always succeeds. */
psa_status_t micro_ecc_driver_init(void);

/* secp192r1, 192 bits */
psa_status_t micro_ecc_driver_p192_import(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t micro_ecc_driver_p192_generate(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t micro_ecc_driver_p192_export_public(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t micro_ecc_driver_p192_sign(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);
psa_status_t micro_ecc_driver_p192_verify(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);
psa_status_t micro_ecc_driver_p192_agree(psa_algorithm_t alg,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *peer_key, size_t peer_key_length,
                                         uint8_t *output, size_t output_size,
                                         size_t *output_length);

/* secp224r1, 224 bits */
psa_status_t micro_ecc_driver_p224_import(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t micro_ecc_driver_p224_generate(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t micro_ecc_driver_p224_export_public(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t micro_ecc_driver_p224_sign(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);
psa_status_t micro_ecc_driver_p224_verify(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);
psa_status_t micro_ecc_driver_p224_agree(psa_algorithm_t alg,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *peer_key, size_t peer_key_length,
                                         uint8_t *output, size_t output_size,
                                         size_t *output_length);

/* secp256r1, 256 bits */
psa_status_t micro_ecc_driver_p256_import(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t micro_ecc_driver_p256_generate(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t micro_ecc_driver_p256_export_public(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t micro_ecc_driver_p256_sign(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);
psa_status_t micro_ecc_driver_p256_verify(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);
psa_status_t micro_ecc_driver_p256_agree(psa_algorithm_t alg,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *peer_key, size_t peer_key_length,
                                         uint8_t *output, size_t output_size,
                                         size_t *output_length);

/* secp256k1, 256 bits */
psa_status_t micro_ecc_driver_k256_import(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t micro_ecc_driver_k256_generate(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t micro_ecc_driver_k256_export_public(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t micro_ecc_driver_k256_sign(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);
psa_status_t micro_ecc_driver_k256_verify(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, const uint8_t *signature,
                                          size_t signature_length);
psa_status_t micro_ecc_driver_k256_agree(psa_algorithm_t alg,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *peer_key, size_t peer_key_length,
                                         uint8_t *output, size_t output_size,
                                         size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
