/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AEAD: CCM with AES, GCM with AES, ARIA and Camellia, ChaCha20-Poly1305 (RFC 8439). Whole messages
 * and operations in parts; the tag's length is in `alg`. What the entry points have in common is
 * said in mbedtls_driver.h. PSA_ERROR_INVALID_SIGNATURE    decryption of a whole message: the tag
 * is another; the output was wiped PSA_ERROR_NOT_SUPPORTED        CCM: 65,280 bytes of additional
 * data or more PSA_ERROR_INSUFFICIENT_MEMORY  only in a build that also takes CMAC from the
 * library: its cipher layer is then between CCM or GCM and AES, and uses the heap
 */
#ifndef MBEDTLS_DRIVER_AEAD_H
#define MBEDTLS_DRIVER_AEAD_H

#include "mbedtls_contexts.h"

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

psa_status_t mbedtls_driver_ccm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t mbedtls_driver_ccm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length);
psa_status_t mbedtls_driver_ccm_encrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_ccm_decrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_ccm_set_lengths(mbedtls_driver_ccm_operation_t *operation,
                                            size_t ad_length, size_t plaintext_length);
psa_status_t mbedtls_driver_ccm_set_nonce(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t mbedtls_driver_ccm_update_ad(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_ccm_update(mbedtls_driver_ccm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_ccm_finish(mbedtls_driver_ccm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t mbedtls_driver_ccm_abort(mbedtls_driver_ccm_operation_t *operation);

psa_status_t mbedtls_driver_gcm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t mbedtls_driver_gcm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length);
psa_status_t mbedtls_driver_gcm_encrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_gcm_decrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_gcm_set_nonce(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t mbedtls_driver_gcm_update_ad(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_gcm_update(mbedtls_driver_gcm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_gcm_finish(mbedtls_driver_gcm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t mbedtls_driver_gcm_abort(mbedtls_driver_gcm_operation_t *operation);

psa_status_t mbedtls_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t mbedtls_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);
psa_status_t mbedtls_driver_chachapoly_encrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_chachapoly_decrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_chachapoly_set_nonce(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *nonce, size_t nonce_length);
psa_status_t mbedtls_driver_chachapoly_update_ad(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_chachapoly_update(mbedtls_driver_chachapoly_operation_t *operation,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *output, size_t output_size,
                                              size_t *output_length);
psa_status_t mbedtls_driver_chachapoly_finish(mbedtls_driver_chachapoly_operation_t *operation,
                                              uint8_t *tag, size_t tag_size, size_t *tag_length);
psa_status_t mbedtls_driver_chachapoly_abort(mbedtls_driver_chachapoly_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
