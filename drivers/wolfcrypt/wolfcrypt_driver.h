/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over wolfCrypt 5.9. Dispatch calls them for the mechanisms of driver.json only, with
 * key type, key size and algorithm matched; argument order is that of the PSA Crypto Driver
 * Interface 1.0. Sizes are in bytes; *..._length and *bits are written on success only.
 *   PSA_ERROR_BUFFER_TOO_SMALL      nothing was written
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_generate: corral_random() failed
 */
#ifndef WOLFCRYPT_DRIVER_H
#define WOLFCRYPT_DRIVER_H

#include "wolfcrypt_contexts.h"

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Ascon-Hash256 (NIST SP 800-232, 5.1), 32 bytes. *_finish wipes the context too.
 */
psa_status_t wolfcrypt_driver_ascon_hash_setup(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                               psa_algorithm_t alg);
psa_status_t wolfcrypt_driver_ascon_hash_update(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                                const uint8_t *input, size_t input_length);
psa_status_t wolfcrypt_driver_ascon_hash_finish(wolfcrypt_driver_ascon_hash_operation_t *operation,
                                                uint8_t *hash, size_t hash_size,
                                                size_t *hash_length);
psa_status_t wolfcrypt_driver_ascon_hash_abort(wolfcrypt_driver_ascon_hash_operation_t *operation);

/*
 * Ascon-XOF128 and Ascon-CXOF128 (NIST SP 800-232, 5.2 and 5.3), by the library's permutation.
 * *_set_context: once, before all input, for Ascon-CXOF128.
 *   PSA_ERROR_INVALID_ARGUMENT  a context of more than 256 bytes
 */
psa_status_t wolfcrypt_driver_ascon_xof_setup(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                              psa_algorithm_t alg);
psa_status_t
wolfcrypt_driver_ascon_xof_set_context(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                       const uint8_t *value, size_t value_length);
psa_status_t wolfcrypt_driver_ascon_xof_update(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                               const uint8_t *input, size_t input_length);
psa_status_t wolfcrypt_driver_ascon_xof_output(wolfcrypt_driver_ascon_xof_operation_t *operation,
                                               uint8_t *output, size_t output_length);
psa_status_t wolfcrypt_driver_ascon_xof_abort(wolfcrypt_driver_ascon_xof_operation_t *operation);

/*
 * Ascon-AEAD128 (NIST SP 800-232, 4) in parts: key, nonce and tag of 16 bytes, a shorter tag is the
 * beginning of it. Text in disjoint buffers or in place. *_finish gives the tag in both directions.
 * The context holds the key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the nonce has another length
 *   PSA_ERROR_NOT_SUPPORTED     the key has another length
 */
psa_status_t wolfcrypt_driver_ascon_aead_encrypt_setup(
    wolfcrypt_driver_ascon_aead_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t wolfcrypt_driver_ascon_aead_decrypt_setup(
    wolfcrypt_driver_ascon_aead_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t
wolfcrypt_driver_ascon_aead_set_nonce(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                      const uint8_t *nonce, size_t nonce_length);
psa_status_t
wolfcrypt_driver_ascon_aead_update_ad(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                      const uint8_t *input, size_t input_length);
psa_status_t wolfcrypt_driver_ascon_aead_update(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);
psa_status_t wolfcrypt_driver_ascon_aead_finish(wolfcrypt_driver_ascon_aead_operation_t *operation,
                                                uint8_t *tag, size_t tag_size, size_t *tag_length);
psa_status_t wolfcrypt_driver_ascon_aead_abort(wolfcrypt_driver_ascon_aead_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
