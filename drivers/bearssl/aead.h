/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AEAD: CCM and GCM with AES, in parts; ChaCha20-Poly1305 (RFC 8439), whole messages. What the
 * entry points have in common is said in bearssl_driver.h; the tag's length is in `alg`.
 *   PSA_ERROR_INVALID_SIGNATURE  decryption of a whole message: the tag is another; the output
 *                                holds text that the core wipes
 */
#ifndef BEARSSL_DRIVER_AEAD_H
#define BEARSSL_DRIVER_AEAD_H

#include "bearssl_contexts.h"

#include <psa/crypto.h>

psa_status_t bearssl_driver_ccm_encrypt_setup(bearssl_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t bearssl_driver_ccm_decrypt_setup(bearssl_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t bearssl_driver_ccm_set_lengths(bearssl_driver_ccm_operation_t *operation,
                                            size_t ad_length, size_t plaintext_length);
psa_status_t bearssl_driver_ccm_set_nonce(bearssl_driver_ccm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t bearssl_driver_ccm_update_ad(bearssl_driver_ccm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_ccm_update(bearssl_driver_ccm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_ccm_finish(bearssl_driver_ccm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t bearssl_driver_ccm_abort(bearssl_driver_ccm_operation_t *operation);

psa_status_t bearssl_driver_gcm_encrypt_setup(bearssl_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t bearssl_driver_gcm_decrypt_setup(bearssl_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t bearssl_driver_gcm_set_nonce(bearssl_driver_gcm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t bearssl_driver_gcm_update_ad(bearssl_driver_gcm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_gcm_update(bearssl_driver_gcm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_gcm_finish(bearssl_driver_gcm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t bearssl_driver_gcm_abort(bearssl_driver_gcm_operation_t *operation);

psa_status_t bearssl_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t bearssl_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);

#endif
