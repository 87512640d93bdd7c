/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of drivers/mbedtls that dispatch calls. Each source that defines one includes this,
 * so that one which is not as it is called does not compile. Dispatch has matched location,
 * algorithm, type and size, the core has checked policy and arguments. Lengths are written on
 * success only; PSA_ERROR_BUFFER_TOO_SMALL and PSA_ERROR_NOT_SUPPORTED mean that nothing was
 * written.
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.driver_headers of dispatch/entry_points.toml.
 */
#ifndef CORRAL_DRIVERS_MBEDTLS_ENTRY_POINTS_H
#define CORRAL_DRIVERS_MBEDTLS_ENTRY_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include <corral/derivation.h>
#include <corral/pake.h>
#include <psa/crypto.h>

#include <corral/drivers/mbedtls/mbedtls_contexts.h>
#include <corral/drivers/mbedtls/mbedtls_pake.h>

/*
 * hash_compute. Hash a whole message, which may overlap the hash.
 * PSA_ERROR_BUFFER_TOO_SMALL: hash_size is less than the hash
 */
psa_status_t mbedtls_driver_md5_compute(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *hash, size_t hash_size,
                                        size_t *hash_length);
psa_status_t mbedtls_driver_ripemd160_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *hash, size_t hash_size,
                                              size_t *hash_length);
psa_status_t mbedtls_driver_sha1_compute(psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length);
psa_status_t mbedtls_driver_sha256_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha512_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha3_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length);

/* hash_setup. Begin a hash. Hashes that share a context may share what goes on with it. */
psa_status_t mbedtls_driver_md5_setup(mbedtls_driver_md5_operation_t *operation,
                                      psa_algorithm_t alg);
psa_status_t mbedtls_driver_ripemd160_setup(mbedtls_driver_ripemd160_operation_t *operation,
                                            psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha1_setup(mbedtls_driver_sha1_operation_t *operation,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha256_setup(size_t length,
                                         mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha512_setup(size_t length,
                                         mbedtls_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha3_setup(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                       psa_algorithm_t alg);

/* hash_update. Take the next part of the message, which may be empty. */
psa_status_t mbedtls_driver_md5_update(mbedtls_driver_md5_operation_t *operation,
                                       const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_ripemd160_update(mbedtls_driver_ripemd160_operation_t *operation,
                                             const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha1_update(mbedtls_driver_sha1_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha256_update(mbedtls_driver_sha256_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha512_update(mbedtls_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha3_update(mbedtls_driver_sha3_operation_t *operation,
                                        const uint8_t *input, size_t input_length);

/*
 * hash_finish. Write the hash, and give back what the operation holds beside its context, which the
 * core wipes. Abort may come after that, and finds nothing to give back.
 * PSA_ERROR_BUFFER_TOO_SMALL: hash_size is less than the hash
 */
psa_status_t mbedtls_driver_md5_finish(mbedtls_driver_md5_operation_t *operation, uint8_t *hash,
                                       size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_ripemd160_finish(mbedtls_driver_ripemd160_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha1_finish(mbedtls_driver_sha1_operation_t *operation, uint8_t *hash,
                                        size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha256_finish(size_t length,
                                          mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha512_finish(size_t length,
                                          mbedtls_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha3_finish(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);

/* hash_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t mbedtls_driver_md5_abort(mbedtls_driver_md5_operation_t *operation);
psa_status_t mbedtls_driver_ripemd160_abort(mbedtls_driver_ripemd160_operation_t *operation);
psa_status_t mbedtls_driver_sha1_abort(mbedtls_driver_sha1_operation_t *operation);
psa_status_t mbedtls_driver_sha256_abort(mbedtls_driver_sha256_operation_t *operation);
psa_status_t mbedtls_driver_sha512_abort(mbedtls_driver_sha512_operation_t *operation);
psa_status_t mbedtls_driver_sha3_abort(mbedtls_driver_sha3_operation_t *operation);

/*
 * hash_suspend. Write the state as PSA Crypto lays it out after the algorithm field: the number of
 * bytes hashed, the chaining value, what waits for a whole block.
 * PSA_ERROR_BUFFER_TOO_SMALL: hash_state_size is less than that
 */
psa_status_t mbedtls_driver_md5_suspend(const mbedtls_driver_md5_operation_t *operation,
                                        uint8_t *hash_state, size_t hash_state_size,
                                        size_t *hash_state_length);
psa_status_t mbedtls_driver_ripemd160_suspend(const mbedtls_driver_ripemd160_operation_t *operation,
                                              uint8_t *hash_state, size_t hash_state_size,
                                              size_t *hash_state_length);
psa_status_t mbedtls_driver_sha1_suspend(const mbedtls_driver_sha1_operation_t *operation,
                                         uint8_t *hash_state, size_t hash_state_size,
                                         size_t *hash_state_length);
psa_status_t mbedtls_driver_sha256_suspend(const mbedtls_driver_sha256_operation_t *operation,
                                           uint8_t *hash_state, size_t hash_state_size,
                                           size_t *hash_state_length);
psa_status_t mbedtls_driver_sha512_suspend(const mbedtls_driver_sha512_operation_t *operation,
                                           uint8_t *hash_state, size_t hash_state_size,
                                           size_t *hash_state_length);

/*
 * hash_resume. Begin where a suspended operation was.
 * PSA_ERROR_INVALID_ARGUMENT: not a state that hash_suspend writes
 * PSA_ERROR_NOT_SUPPORTED: a message longer than the driver counts
 */
psa_status_t mbedtls_driver_md5_resume(mbedtls_driver_md5_operation_t *operation,
                                       psa_algorithm_t alg, const uint8_t *hash_state,
                                       size_t hash_state_length);
psa_status_t mbedtls_driver_ripemd160_resume(mbedtls_driver_ripemd160_operation_t *operation,
                                             psa_algorithm_t alg, const uint8_t *hash_state,
                                             size_t hash_state_length);
psa_status_t mbedtls_driver_sha1_resume(mbedtls_driver_sha1_operation_t *operation,
                                        psa_algorithm_t alg, const uint8_t *hash_state,
                                        size_t hash_state_length);
psa_status_t mbedtls_driver_sha256_resume(size_t length,
                                          mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *hash_state,
                                          size_t hash_state_length);
psa_status_t mbedtls_driver_sha512_resume(size_t length,
                                          mbedtls_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *hash_state,
                                          size_t hash_state_length);

/*
 * mac_compute. Compute the MAC of a whole message; truncation is the core's.
 * PSA_ERROR_BUFFER_TOO_SMALL: mac_size is less than the whole MAC
 */
psa_status_t mbedtls_driver_hmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length);
psa_status_t mbedtls_driver_cmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length);

/* mac_setup. Begin a MAC, for computation and verification alike. */
psa_status_t mbedtls_driver_hmac_setup(mbedtls_driver_hmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_cmac_setup(mbedtls_driver_cmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);

/* mac_update. Take the next part of the message. */
psa_status_t mbedtls_driver_hmac_update(mbedtls_driver_hmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_cmac_update(mbedtls_driver_cmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length);

/*
 * mac_finish. Write the whole MAC; truncation and comparison are the core's. Give back what the
 * operation holds beside its context. Abort may come after that, and finds nothing to give back.
 * PSA_ERROR_BUFFER_TOO_SMALL: mac_size is less than the MAC
 */
psa_status_t mbedtls_driver_hmac_finish(mbedtls_driver_hmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length);
psa_status_t mbedtls_driver_cmac_finish(mbedtls_driver_cmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length);

/* mac_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t mbedtls_driver_hmac_abort(mbedtls_driver_hmac_operation_t *operation);
psa_status_t mbedtls_driver_cmac_abort(mbedtls_driver_cmac_operation_t *operation);

/*
 * cipher_encrypt. Encrypt a whole message. Input and output are apart, or at the same place.
 * PSA_ERROR_BUFFER_TOO_SMALL: the output does not fit
 */
psa_status_t mbedtls_driver_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);

/*
 * cipher_decrypt. Decrypt a whole message. Input and output are apart, or at the same place.
 * PSA_ERROR_BUFFER_TOO_SMALL: the output does not fit
 */
psa_status_t mbedtls_driver_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);

/*
 * cipher_encrypt_setup. Begin an encryption. Padding, and the rest of a block, are the core's to
 * keep.
 */
psa_status_t mbedtls_driver_aes_ecb_encrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aria_ecb_encrypt_setup(mbedtls_driver_block_ecb_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_camellia_ecb_encrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cbc_encrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ctr_setup(mbedtls_driver_aes_ctr_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cfb_encrypt_setup(
    mbedtls_driver_aes_feedback_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ofb_setup(mbedtls_driver_aes_feedback_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);

/* cipher_decrypt_setup. Begin a decryption. */
psa_status_t mbedtls_driver_aes_ecb_decrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aria_ecb_decrypt_setup(mbedtls_driver_block_ecb_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_camellia_ecb_decrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cbc_decrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cfb_decrypt_setup(
    mbedtls_driver_aes_feedback_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);

/*
 * cipher_set_iv. Set the initialisation vector, of the length that the algorithm has. A mode
 * without one needs no such function.
 */
psa_status_t mbedtls_driver_aes_cbc_set_iv(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_ctr_set_iv(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_cfb_set_iv(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_ofb_set_iv(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);

/*
 * cipher_update. Process input: whole blocks of a block mode, any number of bytes of a stream mode;
 * of XTS the last call alone has a rest, behind at least one block. The output is as long as the
 * input, and apart from it or at the same place.
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the input
 */
psa_status_t mbedtls_driver_aes_ecb_update(mbedtls_driver_aes_ecb_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aria_ecb_update(mbedtls_driver_block_ecb_operation_t *operation,
                                            const uint8_t *input, size_t input_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length);
psa_status_t mbedtls_driver_camellia_ecb_update(mbedtls_driver_block_ecb_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);
psa_status_t mbedtls_driver_aes_cbc_update(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_ctr_update(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_cfb_update(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_ofb_update(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);

/* cipher_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t mbedtls_driver_aes_ecb_abort(mbedtls_driver_aes_ecb_operation_t *operation);
psa_status_t mbedtls_driver_aria_ecb_abort(mbedtls_driver_block_ecb_operation_t *operation);
psa_status_t mbedtls_driver_camellia_ecb_abort(mbedtls_driver_block_ecb_operation_t *operation);
psa_status_t mbedtls_driver_aes_cbc_abort(mbedtls_driver_aes_cbc_operation_t *operation);
psa_status_t mbedtls_driver_aes_ctr_abort(mbedtls_driver_aes_ctr_operation_t *operation);
psa_status_t mbedtls_driver_aes_cfb_abort(mbedtls_driver_aes_feedback_operation_t *operation);
psa_status_t mbedtls_driver_aes_ofb_abort(mbedtls_driver_aes_feedback_operation_t *operation);

/*
 * aead_encrypt. Encrypt and authenticate a whole message; the tag follows the ciphertext. The tag's
 * length is in alg, and the core has checked it, the nonce's length and the bounds of the message.
 * Input and output are apart, or exactly at the same place; if the driver has no multi-part
 * functions, nonce and text may lie anywhere in the output.
 * PSA_ERROR_BUFFER_TOO_SMALL: ciphertext and tag do not fit
 */
psa_status_t mbedtls_driver_ccm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t mbedtls_driver_gcm_encrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *plaintext,
                                        size_t plaintext_length, uint8_t *ciphertext,
                                        size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t mbedtls_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);

/*
 * aead_decrypt. Check the tag behind the ciphertext in constant time, and decrypt. The tag's length
 * is in alg, and the core has checked it, the nonce's length and the bounds of the message. Input
 * and output are apart, or exactly at the same place; if the driver has no multi-part functions,
 * nonce and text may lie anywhere in the output. What is authenticated is what is decrypted: a
 * library that reads the text twice works on it in the output.
 * PSA_ERROR_INVALID_SIGNATURE: the tag is another; no plaintext is left in the output
 * PSA_ERROR_BUFFER_TOO_SMALL: the plaintext does not fit
 */
psa_status_t mbedtls_driver_ccm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length);
psa_status_t mbedtls_driver_gcm_decrypt(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *nonce,
                                        size_t nonce_length, const uint8_t *additional_data,
                                        size_t additional_data_length, const uint8_t *ciphertext,
                                        size_t ciphertext_length, uint8_t *plaintext,
                                        size_t plaintext_size, size_t *plaintext_length);
psa_status_t mbedtls_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);

/* aead_encrypt_setup. Begin an encryption; the tag's length is in alg. */
psa_status_t mbedtls_driver_ccm_encrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_gcm_encrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_chachapoly_encrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);

/* aead_decrypt_setup. Begin a decryption; the tag's length is in alg. */
psa_status_t mbedtls_driver_ccm_decrypt_setup(mbedtls_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_gcm_decrypt_setup(mbedtls_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t mbedtls_driver_chachapoly_decrypt_setup(
    mbedtls_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);

/*
 * aead_set_lengths. Hear the lengths, once and right before the nonce, if they are known: for CCM
 * always.
 */
psa_status_t mbedtls_driver_ccm_set_lengths(mbedtls_driver_ccm_operation_t *operation,
                                            size_t ad_length, size_t plaintext_length);

/* aead_set_nonce. Set the nonce, before any data. */
psa_status_t mbedtls_driver_ccm_set_nonce(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t mbedtls_driver_gcm_set_nonce(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length);
psa_status_t mbedtls_driver_chachapoly_set_nonce(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *nonce, size_t nonce_length);

/*
 * aead_update_ad. Take the next part of the additional data, which is not empty and which no text
 * precedes.
 */
psa_status_t mbedtls_driver_ccm_update_ad(mbedtls_driver_ccm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_gcm_update_ad(mbedtls_driver_gcm_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_chachapoly_update_ad(mbedtls_driver_chachapoly_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);

/*
 * aead_update. Process the next part of the text, which is not empty. The output is as long, and
 * apart or at the same place; at the same place for decryption, so that the text may be read twice.
 */
psa_status_t mbedtls_driver_ccm_update(mbedtls_driver_ccm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_gcm_update(mbedtls_driver_gcm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_chachapoly_update(mbedtls_driver_chachapoly_operation_t *operation,
                                              const uint8_t *input, size_t input_length,
                                              uint8_t *output, size_t output_size,
                                              size_t *output_length);

/* aead_finish. Write the tag, for encryption and decryption alike: the core compares it. */
psa_status_t mbedtls_driver_ccm_finish(mbedtls_driver_ccm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t mbedtls_driver_gcm_finish(mbedtls_driver_gcm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length);
psa_status_t mbedtls_driver_chachapoly_finish(mbedtls_driver_chachapoly_operation_t *operation,
                                              uint8_t *tag, size_t tag_size, size_t *tag_length);

/*
 * aead_abort. Give back what the operation holds beside its context, which the core wipes. Also
 * called after success.
 */
psa_status_t mbedtls_driver_ccm_abort(mbedtls_driver_ccm_operation_t *operation);
psa_status_t mbedtls_driver_gcm_abort(mbedtls_driver_gcm_operation_t *operation);
psa_status_t mbedtls_driver_chachapoly_abort(mbedtls_driver_chachapoly_operation_t *operation);

/*
 * sign_hash. Sign a hash, which may overlap the signature.
 * PSA_ERROR_BUFFER_TOO_SMALL: signature_size is less than the signature
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that can be used
 */
psa_status_t mbedtls_driver_sign_hash(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      uint8_t *signature, size_t signature_size,
                                      size_t *signature_length);
psa_status_t mbedtls_driver_sign_hash_deterministic(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *hash, size_t hash_length,
                                                    uint8_t *signature, size_t signature_size,
                                                    size_t *signature_length);
psa_status_t mbedtls_driver_rsa_sign_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, uint8_t *signature,
                                          size_t signature_size, size_t *signature_length);

/*
 * verify_hash. Verify the signature of a hash; of keys in memory with a public key.
 * PSA_ERROR_INVALID_SIGNATURE: not that key's signature, of whatever length
 */
psa_status_t mbedtls_driver_verify_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *signature,
                                        size_t signature_length);
psa_status_t mbedtls_driver_rsa_verify_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, const uint8_t *signature,
                                            size_t signature_length);

/*
 * key_agreement. Write the secret shared with the owner of the peer's public key. The output may
 * overlap that key.
 * PSA_ERROR_INVALID_ARGUMENT: the peer's key is none, or not one that goes with this one
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the secret, whatever the peer's key is
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers to blind with
 */
psa_status_t mbedtls_driver_key_agreement(psa_algorithm_t alg,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          const uint8_t *peer_key, size_t peer_key_length,
                                          uint8_t *output, size_t output_size,
                                          size_t *output_length);
psa_status_t mbedtls_driver_dh_key_agreement(psa_algorithm_t alg,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key_buffer, size_t key_buffer_size,
                                             const uint8_t *peer_key, size_t peer_key_length,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length);

/*
 * asymmetric_encrypt. Encrypt a message under a public key, with a salt or label if the algorithm
 * takes one.
 * PSA_ERROR_INVALID_ARGUMENT: the message is too long
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the ciphertext
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers
 */
psa_status_t mbedtls_driver_rsa_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);

/*
 * asymmetric_decrypt. Decrypt a message. `output` has room for the longest text of any key that the
 * build wants. Neither the status nor the time depends on what is wrong with the padding. For
 * PKCS#1 v1.5 the instructions are the same if it is right.
 * PSA_ERROR_INVALID_PADDING: not what encryption gives
 */
psa_status_t mbedtls_driver_rsa_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);

/*
 * import_key. Take in a key in PSA's export format: copy it, since an application may change it
 * meanwhile, check the copy, and say its size. Of type, size and family the attributes have what
 * the application set; a size of 0 asks for that of the data. The buffer of a key that does not
 * come to be is wiped by the core.
 * PSA_ERROR_INVALID_ARGUMENT: not a key of this type
 * PSA_ERROR_BUFFER_TOO_SMALL: the key is longer than key_buffer_size
 * PSA_ERROR_NOT_SUPPORTED: a key of a size that the driver does not have
 */
psa_status_t mbedtls_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_length, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length,
                                       size_t *bits);
psa_status_t mbedtls_driver_dh_import_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t mbedtls_driver_rsa_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);
psa_status_t mbedtls_driver_spake2p_import_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *data, size_t data_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length, size_t *bits);

/*
 * generate_key. Make a key of the attributes' type and size. The public key may follow the private
 * one, if key_buffer_size has room for both.
 * PSA_ERROR_BUFFER_TOO_SMALL: no room for the key
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that make a key
 */
psa_status_t mbedtls_driver_generate_key(const psa_key_attributes_t *attributes,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length);
psa_status_t mbedtls_driver_dh_generate_key(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t mbedtls_driver_rsa_generate_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length);

/*
 * derive_key. Make a key of the bytes of a key derivation, as many as PSA says for the type. Other
 * types than this driver's are the core's to derive.
 * PSA_ERROR_INVALID_ARGUMENT: not as many bytes as that, or none that make a key
 */
psa_status_t mbedtls_driver_spake2p_derive_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *input, size_t input_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length);

/*
 * generate_key_custom. Called instead of generate_key when the application gives production
 * parameters, which the core has checked as far as the type says.
 */
psa_status_t mbedtls_driver_rsa_generate_key_custom(const psa_key_attributes_t *attributes,
                                                    const psa_custom_key_parameters_t *custom,
                                                    const uint8_t *custom_data,
                                                    size_t custom_data_length, uint8_t *key_buffer,
                                                    size_t key_buffer_size,
                                                    size_t *key_buffer_length);

/*
 * export_public_key. Write the public key of a pair in PSA's export format; of an element also that
 * of a public key.
 * PSA_ERROR_BUFFER_TOO_SMALL: data_size is less than the key
 */
psa_status_t mbedtls_driver_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              uint8_t *data, size_t data_size, size_t *data_length);
psa_status_t mbedtls_driver_dh_export_public_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t mbedtls_driver_rsa_export_public_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  uint8_t *data, size_t data_size,
                                                  size_t *data_length);
psa_status_t mbedtls_driver_spake2p_export_public_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length);

/*
 * add_entropy. Take entropy of the board: at first initial_entropy_size bytes, later
 * reseed_entropy_size.
 */
psa_status_t mbedtls_driver_add_entropy(mbedtls_driver_random_context_t *context,
                                        const uint8_t *entropy, size_t entropy_size);

/*
 * get_random. Write random bytes, at most as many as asked for and at least one.
 * PSA_ERROR_INSUFFICIENT_ENTROPY: the generator has to be seeded first, or its source failed
 */
psa_status_t mbedtls_driver_get_random(mbedtls_driver_random_context_t *context, uint8_t *output,
                                       size_t output_size, size_t *output_length);

/*
 * pake_setup. Begin an exchange. The core keeps the order of steps; all that the application has
 * set is in the inputs (<corral/pake.h>). Its capability is filtered by the primitive, as a public
 * key of its group.
 */
psa_status_t mbedtls_driver_jpake_setup(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs);
psa_status_t mbedtls_driver_spake2p_setup(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs);

/*
 * pake_output. Write what is sent at a step. The core keeps the order of steps; all that the
 * application has set is in the inputs (<corral/pake.h>).
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers
 */
psa_status_t mbedtls_driver_jpake_output(mbedtls_driver_jpake_operation_t *operation,
                                         const psa_crypto_driver_pake_inputs_t *inputs,
                                         psa_crypto_driver_pake_step_t step, uint8_t *output,
                                         size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_spake2p_output(mbedtls_driver_spake2p_operation_t *operation,
                                           const psa_crypto_driver_pake_inputs_t *inputs,
                                           psa_crypto_driver_pake_step_t step, uint8_t *output,
                                           size_t output_size, size_t *output_length);

/*
 * pake_input. Take what was received at a step. The core keeps the order of steps; all that the
 * application has set is in the inputs (<corral/pake.h>).
 * PSA_ERROR_INVALID_ARGUMENT: no share, or no proof by its length
 * PSA_ERROR_INVALID_SIGNATURE: a proof or confirmation that is wrong
 */
psa_status_t mbedtls_driver_jpake_input(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs,
                                        psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                        size_t input_length);
psa_status_t mbedtls_driver_spake2p_input(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs,
                                          psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                          size_t input_length);

/* pake_get_implicit_key. Write the shared secret, from which the core makes a key. */
psa_status_t mbedtls_driver_jpake_get_implicit_key(mbedtls_driver_jpake_operation_t *operation,
                                                   const psa_crypto_driver_pake_inputs_t *inputs,
                                                   uint8_t *output, size_t output_size,
                                                   size_t *output_length);
psa_status_t mbedtls_driver_spake2p_get_implicit_key(mbedtls_driver_spake2p_operation_t *operation,
                                                     const psa_crypto_driver_pake_inputs_t *inputs,
                                                     uint8_t *output, size_t output_size,
                                                     size_t *output_length);

/* pake_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t mbedtls_driver_jpake_abort(mbedtls_driver_jpake_operation_t *operation);
psa_status_t mbedtls_driver_spake2p_abort(mbedtls_driver_spake2p_operation_t *operation);

#endif
