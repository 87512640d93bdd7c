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

/* BLAKE2s-256 (RFC 7693), 32 bytes. *_finish wipes the context too. */
psa_status_t wolfcrypt_driver_blake2s_setup(wolfcrypt_driver_blake2s_operation_t *operation,
                                            psa_algorithm_t alg);
psa_status_t wolfcrypt_driver_blake2s_update(wolfcrypt_driver_blake2s_operation_t *operation,
                                             const uint8_t *input, size_t input_length);
psa_status_t wolfcrypt_driver_blake2s_finish(wolfcrypt_driver_blake2s_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t wolfcrypt_driver_blake2s_abort(wolfcrypt_driver_blake2s_operation_t *operation);

/*
 * Begin BLAKE2s with a key; what follows is as of the hash.
 *   PSA_ERROR_INVALID_ARGUMENT  a key of more than 32 bytes
 */
psa_status_t wolfcrypt_driver_blake2s_mac_setup(wolfcrypt_driver_blake2s_operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                psa_algorithm_t alg);

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

/*
 * Ed448 keys of 57 bytes: the private key of RFC 8032, or a point of the curve in canonical
 * encoding. *_generate: the public key follows the private one if there is room for both.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length, not such a point, or one of small order
 */
psa_status_t wolfcrypt_driver_ed448_import_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *data, size_t data_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length, size_t *bits);
psa_status_t wolfcrypt_driver_ed448_generate_key(const psa_key_attributes_t *attributes,
                                                 uint8_t *key_buffer, size_t key_buffer_size,
                                                 size_t *key_buffer_length);
psa_status_t wolfcrypt_driver_ed448_export_public_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length);

/*
 * Ed448 (of a message) and Ed448ph (of 64 bytes of its SHAKE256) signatures of 114 bytes. Without a
 * context it is empty, which is the same. The message may overlap the signature.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of 114 bytes
 *   PSA_ERROR_INVALID_ARGUMENT   Ed448ph: the hash has not 64 bytes; a context of more than 255
 *   PSA_ERROR_NOT_SUPPORTED      a message of 4 GB or more
 */
psa_status_t wolfcrypt_driver_ed448_sign(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *signature,
                                         size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_ed448_sign_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_ed448_verify(const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, const uint8_t *signature,
                                           size_t signature_length);
psa_status_t wolfcrypt_driver_ed448_verify_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length);

/*
 * Public keys and signatures of LMS, HSS (RFC 8554), XMSS and XMSS^MT (RFC 8391), with the
 * parameter sets of these and of SP 800-208. *bits is 192 or 256.
 *   PSA_ERROR_INVALID_ARGUMENT   import: no such key
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or by one of other parameters
 *   PSA_ERROR_NOT_SUPPORTED      LMS, HSS: a key over SHAKE256 without
 *                                CORRAL_WOLFCRYPT_SHAKE_TREES; a message of 4 GB or more, with
 *                                XMSS of 2 GB
 */
psa_status_t wolfcrypt_driver_lms_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits);
psa_status_t wolfcrypt_driver_lms_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length);
psa_status_t wolfcrypt_driver_hss_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits);
psa_status_t wolfcrypt_driver_hss_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length);
psa_status_t wolfcrypt_driver_xmss_import_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *data, size_t data_length,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length, size_t *bits);
psa_status_t wolfcrypt_driver_xmss_verify_message(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg, const uint8_t *input,
                                                  size_t input_length, const uint8_t *signature,
                                                  size_t signature_length);

#ifdef __cplusplus
}
#endif

/*
 * SLH-DSA (FIPS 205), all twelve sets. A key pair has its public key in it; that they belong
 * together is not checked, because it takes as long as generating one. derive: from SK.seed, SK.prf
 * and PK.seed (9.1).
 *   PSA_ERROR_INVALID_ARGUMENT      import, derive: another length; a context of over 255 bytes
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  generate, and sign unless deterministic: no random bytes
 *   PSA_ERROR_NOT_SUPPORTED         *_hash: a hash without an identifier in FIPS 205; sign_message:
 *                                   the message overlaps the room for the signature
 *   PSA_ERROR_INVALID_SIGNATURE     not that key's signature, of whatever length
 */
psa_status_t wolfcrypt_driver_slh_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits);
psa_status_t wolfcrypt_driver_slh_derive_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *input, size_t input_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length);
psa_status_t wolfcrypt_driver_slh_generate_key(const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length);
psa_status_t wolfcrypt_driver_slh_export_public_key(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length);
psa_status_t wolfcrypt_driver_slh_sign_message(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *signature,
                                               size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_slh_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length);
psa_status_t wolfcrypt_driver_slh_sign_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_slh_verify_hash(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length);
psa_status_t wolfcrypt_driver_slh_sign_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_slh_verify_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length);
psa_status_t wolfcrypt_driver_slh_sign_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t wolfcrypt_driver_slh_verify_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length);

#endif
