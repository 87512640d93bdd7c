/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over the primitives of Mbed TLS 3.6. Dispatch calls them for the mechanisms of
 * driver.json only, with key type, key size and algorithm matched; argument order is that of the
 * PSA Crypto Driver Interface 1.0. Sizes are in bytes; outputs and their lengths count on success
 * only.
 *   PSA_ERROR_BUFFER_TOO_SMALL     nothing was written
 *   PSA_ERROR_CORRUPTION_DETECTED  the library gave a result that it should not be able to give
 */
#ifndef MBEDTLS_DRIVER_H
#define MBEDTLS_DRIVER_H

#include "mbedtls_aead.h"
#include "mbedtls_contexts.h"
#include "mbedtls_pake.h"

#include <corral/pake.h>
#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes: MD5, RIPEMD-160, SHA-1, SHA-2 (224 to 512), SHA3. *_compute takes the whole input at once
 * and wipes its state. Hashes of one family share the context, and so *_update and *_abort; SHA3
 * shares all, and driver.json passes the length of the hash. They fail only for want of room.
 * *_suspend, *_resume (not SHA3): the state after the algorithm field, as in hash_state.h.
 *   PSA_ERROR_INVALID_ARGUMENT  *_resume: not a state that *_suspend writes
 */
psa_status_t mbedtls_driver_md5_compute(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *hash, size_t hash_size,
                                        size_t *hash_length);
psa_status_t mbedtls_driver_md5_setup(mbedtls_driver_md5_operation_t *operation,
                                      psa_algorithm_t alg);
psa_status_t mbedtls_driver_md5_finish(mbedtls_driver_md5_operation_t *operation, uint8_t *hash,
                                       size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_md5_update(mbedtls_driver_md5_operation_t *operation,
                                       const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_md5_resume(mbedtls_driver_md5_operation_t *operation,
                                       psa_algorithm_t alg, const uint8_t *state,
                                       size_t state_length);
psa_status_t mbedtls_driver_md5_suspend(const mbedtls_driver_md5_operation_t *operation,
                                        uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t mbedtls_driver_md5_abort(mbedtls_driver_md5_operation_t *operation);
psa_status_t mbedtls_driver_ripemd160_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *hash, size_t hash_size,
                                              size_t *hash_length);
psa_status_t mbedtls_driver_ripemd160_setup(mbedtls_driver_ripemd160_operation_t *operation,
                                            psa_algorithm_t alg);
psa_status_t mbedtls_driver_ripemd160_finish(mbedtls_driver_ripemd160_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_ripemd160_update(mbedtls_driver_ripemd160_operation_t *operation,
                                             const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_ripemd160_resume(mbedtls_driver_ripemd160_operation_t *operation,
                                             psa_algorithm_t alg, const uint8_t *state,
                                             size_t state_length);
psa_status_t mbedtls_driver_ripemd160_suspend(const mbedtls_driver_ripemd160_operation_t *operation,
                                              uint8_t *state, size_t state_size,
                                              size_t *state_length);
psa_status_t mbedtls_driver_ripemd160_abort(mbedtls_driver_ripemd160_operation_t *operation);
psa_status_t mbedtls_driver_sha1_compute(psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length);
psa_status_t mbedtls_driver_sha1_setup(mbedtls_driver_sha1_operation_t *operation,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha1_finish(mbedtls_driver_sha1_operation_t *operation, uint8_t *hash,
                                        size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha1_update(mbedtls_driver_sha1_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha1_resume(mbedtls_driver_sha1_operation_t *operation,
                                        psa_algorithm_t alg, const uint8_t *state,
                                        size_t state_length);
psa_status_t mbedtls_driver_sha1_suspend(const mbedtls_driver_sha1_operation_t *operation,
                                         uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t mbedtls_driver_sha1_abort(mbedtls_driver_sha1_operation_t *operation);
psa_status_t mbedtls_driver_sha224_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha224_setup(mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha224_finish(mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha256_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha256_setup(mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha256_finish(mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha256_update(mbedtls_driver_sha256_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha224_resume(mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t mbedtls_driver_sha256_resume(mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t mbedtls_driver_sha256_suspend(const mbedtls_driver_sha256_operation_t *operation,
                                           uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t mbedtls_driver_sha256_abort(mbedtls_driver_sha256_operation_t *operation);
psa_status_t mbedtls_driver_sha384_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha384_setup(mbedtls_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha384_finish(mbedtls_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha512_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t mbedtls_driver_sha512_setup(mbedtls_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha512_finish(mbedtls_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha512_update(mbedtls_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha384_resume(mbedtls_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t mbedtls_driver_sha512_resume(mbedtls_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t mbedtls_driver_sha512_suspend(const mbedtls_driver_sha512_operation_t *operation,
                                           uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t mbedtls_driver_sha512_abort(mbedtls_driver_sha512_operation_t *operation);
psa_status_t mbedtls_driver_sha3_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length);
psa_status_t mbedtls_driver_sha3_setup(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_sha3_finish(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mbedtls_driver_sha3_update(mbedtls_driver_sha3_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_sha3_abort(mbedtls_driver_sha3_operation_t *operation);

/*
 * HMAC over these hashes and CMAC with AES, always at full length.
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED        the library was configured without this hash
 */
psa_status_t mbedtls_driver_hmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length);
psa_status_t mbedtls_driver_hmac_setup(mbedtls_driver_hmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_hmac_update(mbedtls_driver_hmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_hmac_finish(mbedtls_driver_hmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length);
psa_status_t mbedtls_driver_hmac_abort(mbedtls_driver_hmac_operation_t *operation);
psa_status_t mbedtls_driver_cmac_compute(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length);
psa_status_t mbedtls_driver_cmac_setup(mbedtls_driver_cmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t mbedtls_driver_cmac_update(mbedtls_driver_cmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t mbedtls_driver_cmac_finish(mbedtls_driver_cmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length);
psa_status_t mbedtls_driver_cmac_abort(mbedtls_driver_cmac_operation_t *operation);

/*
 * AES-128, AES-192 and AES-256. ECB and CBC get whole blocks, CTR, CFB and OFB any length; output
 * and input are equal or disjoint. The context holds the expanded key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has not 16 bytes
 */
psa_status_t mbedtls_driver_aes_ecb_encrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ecb_decrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ecb_update(mbedtls_driver_aes_ecb_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_ecb_abort(mbedtls_driver_aes_ecb_operation_t *operation);

/*
 * ARIA (RFC 5794) and Camellia (RFC 3713) in ECB mode, whole blocks. They fail only for want of
 * room. For either, a key is expanded at setup.
 */
psa_status_t mbedtls_driver_aria_ecb_encrypt_setup(mbedtls_driver_block_ecb_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aria_ecb_decrypt_setup(mbedtls_driver_block_ecb_operation_t *operation,
                                                   const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aria_ecb_update(mbedtls_driver_block_ecb_operation_t *operation,
                                            const uint8_t *input, size_t input_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length);
psa_status_t mbedtls_driver_aria_ecb_abort(mbedtls_driver_block_ecb_operation_t *operation);
psa_status_t mbedtls_driver_camellia_ecb_encrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_camellia_ecb_decrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_camellia_ecb_update(mbedtls_driver_block_ecb_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);
psa_status_t mbedtls_driver_camellia_ecb_abort(mbedtls_driver_block_ecb_operation_t *operation);
psa_status_t mbedtls_driver_aes_cbc_encrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cbc_decrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cbc_set_iv(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_cbc_update(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_cbc_abort(mbedtls_driver_aes_cbc_operation_t *operation);
psa_status_t mbedtls_driver_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_aes_ctr_setup(mbedtls_driver_aes_ctr_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ctr_set_iv(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_ctr_update(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_ctr_abort(mbedtls_driver_aes_ctr_operation_t *operation);
psa_status_t mbedtls_driver_aes_cfb_encrypt_setup(
    mbedtls_driver_aes_feedback_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cfb_decrypt_setup(
    mbedtls_driver_aes_feedback_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_cfb_set_iv(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_cfb_update(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_cfb_abort(mbedtls_driver_aes_feedback_operation_t *operation);
psa_status_t mbedtls_driver_aes_ofb_setup(mbedtls_driver_aes_feedback_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);
psa_status_t mbedtls_driver_aes_ofb_set_iv(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t mbedtls_driver_aes_ofb_update(mbedtls_driver_aes_feedback_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t mbedtls_driver_aes_ofb_abort(mbedtls_driver_aes_feedback_operation_t *operation);

/*
 * Keys of the curves in ecc.c.
 * *_import_key: a private key in range (stored with its forced bits on Montgomery curves), a public
 *   key on its curve (any string on Montgomery curves). The size comes from the data's length.
 * *_generate_key: the public key follows the private key if there is room for both.
 *   PSA_ERROR_INVALID_ARGUMENT      not a key of a curve of this family
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable scalar in 30 draws
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this curve
 */
psa_status_t mbedtls_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_length, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length,
                                       size_t *bits);
psa_status_t mbedtls_driver_generate_key(const psa_key_attributes_t *attributes,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length);
psa_status_t mbedtls_driver_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              uint8_t *data, size_t data_size, size_t *data_length);

/*
 * ECDSA over a digest of any length, truncated as SEC 1 says; r || s. Both kinds of signing draw
 * numbers that mask the arithmetic; *_deterministic takes its nonce from RFC 6979.
 *   PSA_ERROR_INVALID_SIGNATURE     not a signature by this key, or not of the curve's length
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable nonce
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this curve or hash
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
psa_status_t mbedtls_driver_verify_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *signature,
                                        size_t signature_length);

/*
 * RSA keys, as in corral/rsa.h. *_import_key checks that the numbers belong together; it does not
 * test the primes. *_generate_key: public exponent 65537; *_custom: the exponent of custom_data,
 * least significant byte first, odd and greater than 1.
 *   PSA_ERROR_INVALID_ARGUMENT      no key, or its numbers contradict each other
 *   PSA_ERROR_NOT_SUPPORTED         public exponents that are larger than an int (generation) or 8
 *                                   bytes; more than two primes; primes of very different sizes
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_rsa_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);
psa_status_t mbedtls_driver_rsa_generate_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length);
psa_status_t mbedtls_driver_rsa_generate_key_custom(const psa_key_attributes_t *attributes,
                                                    const psa_custom_key_parameters_t *custom,
                                                    const uint8_t *custom_data,
                                                    size_t custom_data_length, uint8_t *key_buffer,
                                                    size_t key_buffer_size,
                                                    size_t *key_buffer_length);
psa_status_t mbedtls_driver_rsa_export_public_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  uint8_t *data, size_t data_size,
                                                  size_t *data_length);

/*
 * RSA signatures: PKCS#1 v1.5 with and without hash, PSS (RFC 8017). Private operations are
 * blinded, and their results checked against faults.
 *   PSA_ERROR_INVALID_ARGUMENT      the key is too short for such a hash
 *   PSA_ERROR_INVALID_SIGNATURE     not a signature by this key, whatever its length
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no salt, or no blinding
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this hash
 */
psa_status_t mbedtls_driver_rsa_sign_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, uint8_t *signature,
                                          size_t signature_size, size_t *signature_length);
psa_status_t mbedtls_driver_rsa_verify_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, const uint8_t *signature,
                                            size_t signature_length);

/*
 * RSA encryption: PKCS#1 v1.5, and OAEP with `salt` as label. What decryption does and how long it
 * takes is the same for every padding, right or wrong, and for every length of the text.
 *   PSA_ERROR_INVALID_ARGUMENT      a text too long for the key, a ciphertext of another length
 *   PSA_ERROR_INVALID_PADDING       what is encrypted has no valid padding, or another label
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no padding, or no blinding
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this hash
 */
psa_status_t mbedtls_driver_rsa_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_rsa_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);

/*
 * ECDH: the X coordinate of the shared point, or the shared secret of RFC 7748.
 *   PSA_ERROR_INVALID_ARGUMENT      the peer's key is not a point of the curve in PSA's format, or
 *                                   of small order
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no mask for the coordinates
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_key_agreement(psa_algorithm_t alg,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          const uint8_t *peer_key, size_t peer_key_length,
                                          uint8_t *output, size_t output_size,
                                          size_t *output_length);

/*
 * Finite field Diffie-Hellman in the groups of RFC 7919 and, up to 4096 bits, of RFC 3526. Keys and
 * secrets are big-endian numbers as long as the prime p (PSA Crypto 1.5, 9.5.3). A private key is
 * drawn from all of 1 to p - 2. Exponents are raised to in secret-independent time.
 *   PSA_ERROR_INVALID_ARGUMENT      a private key that is not 1 to p - 1; a public key, the peer's
 *                                   or the shared secret that is not 2 to p - 2
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed (generation)
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_dh_import_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits);
psa_status_t mbedtls_driver_dh_generate_key(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length);
psa_status_t mbedtls_driver_dh_export_public_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length);
psa_status_t mbedtls_driver_dh_key_agreement(psa_algorithm_t alg,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key_buffer, size_t key_buffer_size,
                                             const uint8_t *peer_key, size_t peer_key_length,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length);

/*
 * J-PAKE on curves (RFC 8236). The hash of a proof has generator, V, share and name each behind
 * their length in four bytes, as in TLS and Thread. The implicit key is K as an uncompressed point.
 *   PSA_ERROR_INVALID_ARGUMENT      *_setup: the password is a multiple of the order; *_input: no
 *                                   point of the curve, no proof by its length; or shares that
 *                                   cancel each other out
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the proof is wrong, or made under another name
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_jpake_setup(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs);
psa_status_t mbedtls_driver_jpake_output(mbedtls_driver_jpake_operation_t *operation,
                                         const psa_crypto_driver_pake_inputs_t *inputs,
                                         psa_crypto_driver_pake_step_t step, uint8_t *output,
                                         size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_jpake_input(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs,
                                        psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                        size_t input_length);
psa_status_t mbedtls_driver_jpake_get_implicit_key(mbedtls_driver_jpake_operation_t *operation,
                                                   const psa_crypto_driver_pake_inputs_t *inputs,
                                                   uint8_t *output, size_t output_size,
                                                   size_t *output_length);
psa_status_t mbedtls_driver_jpake_abort(mbedtls_driver_jpake_operation_t *operation);

/*
 * Keys of SPAKE2+. Public keys are w0 || L, pairs w0 || w1. *_derive_key: from the size of a scalar
 * and 8 bytes more for each of w0 and w1.
 *   PSA_ERROR_INVALID_ARGUMENT      scalars that are 0 or not below the order, L off the curve, or
 *                                   data of another length
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_export_public_key: corral_random() failed
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_spake2p_import_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *data, size_t data_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length, size_t *bits);
psa_status_t mbedtls_driver_spake2p_export_public_key(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, uint8_t *data,
                                                      size_t data_size, size_t *data_length);
psa_status_t mbedtls_driver_spake2p_derive_key(const psa_key_attributes_t *attributes,
                                               const uint8_t *input, size_t input_length,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length);

/*
 * SPAKE2+ with HMAC or CMAC (RFC 9383), and as in Matter (draft 02). The implicit key has the
 * length of the hash, in Matter half of it.
 *   PSA_ERROR_INVALID_ARGUMENT      *_input: a share that is no point of the curve, or all mask
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the confirmation is wrong
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_spake2p_setup(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs);
psa_status_t mbedtls_driver_spake2p_output(mbedtls_driver_spake2p_operation_t *operation,
                                           const psa_crypto_driver_pake_inputs_t *inputs,
                                           psa_crypto_driver_pake_step_t step, uint8_t *output,
                                           size_t output_size, size_t *output_length);
psa_status_t mbedtls_driver_spake2p_input(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs,
                                          psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                          size_t input_length);
psa_status_t mbedtls_driver_spake2p_get_implicit_key(mbedtls_driver_spake2p_operation_t *operation,
                                                     const psa_crypto_driver_pake_inputs_t *inputs,
                                                     uint8_t *output, size_t output_size,
                                                     size_t *output_length);
psa_status_t mbedtls_driver_spake2p_abort(mbedtls_driver_spake2p_operation_t *operation);

/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). *_add_entropy: the first call instantiates (entropy and
 * nonce together), later calls reseed. *_get_random: *output_length may be less than output_size.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_get_random before the first *_add_entropy
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_add_entropy(mbedtls_driver_random_context_t *context,
                                        const uint8_t *entropy, size_t entropy_size);
psa_status_t mbedtls_driver_get_random(mbedtls_driver_random_context_t *context, uint8_t *output,
                                       size_t output_size, size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
