/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of drivers/compose that dispatch calls. Each source that defines one includes this,
 * so that one which is not as it is called does not compile. Dispatch has matched location,
 * algorithm, type and size, the core has checked policy and arguments. Lengths are written on
 * success only; PSA_ERROR_BUFFER_TOO_SMALL and PSA_ERROR_NOT_SUPPORTED mean that nothing was
 * written.
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.driver_headers of dispatch/entry_points.toml.
 */
#ifndef CORRAL_DRIVERS_COMPOSE_ENTRY_POINTS_H
#define CORRAL_DRIVERS_COMPOSE_ENTRY_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include <corral/derivation.h>
#include <corral/pake.h>
#include <psa/crypto.h>

#include <corral/drivers/compose/cbc.h>
#include <corral/drivers/compose/ccm.h>
#include <corral/drivers/compose/cmac.h>
#include <corral/drivers/compose/counter_kdf.h>
#include <corral/drivers/compose/drbg.h>
#include <corral/drivers/compose/hkdf.h>
#include <corral/drivers/compose/hmac.h>
#include <corral/drivers/compose/pbkdf2.h>
#include <corral/drivers/compose/sae_token.h>
#include <corral/drivers/compose/stream.h>
#include <corral/drivers/compose/tls12.h>
#include <corral/drivers/compose/xts.h>

/* mac_setup. Begin a MAC, for computation and verification alike. */
psa_status_t compose_hmac_setup(compose_hmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t compose_cmac_setup(compose_cmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg);

/* mac_update. Take the next part of the message. */
psa_status_t compose_hmac_update(compose_hmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length);
psa_status_t compose_cmac_update(compose_cmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length);

/*
 * mac_finish. Write the whole MAC; truncation and comparison are the core's. Give back what the
 * operation holds beside its context. Abort may come after that, and finds nothing to give back.
 * PSA_ERROR_BUFFER_TOO_SMALL: mac_size is less than the MAC
 */
psa_status_t compose_hmac_finish(compose_hmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length);
psa_status_t compose_cmac_finish(compose_cmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length);
psa_status_t compose_cbc_mac_finish(compose_cmac_operation_t *operation, uint8_t *mac,
                                    size_t mac_size, size_t *mac_length);

/* mac_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t compose_hmac_abort(compose_hmac_operation_t *operation);
psa_status_t compose_cmac_abort(compose_cmac_operation_t *operation);

/*
 * cipher_encrypt_setup. Begin an encryption. Padding, and the rest of a block, are the core's to
 * keep.
 */
psa_status_t compose_cbc_encrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_xts_encrypt_setup(compose_xts_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_stream_encrypt_setup(compose_stream_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);

/* cipher_decrypt_setup. Begin a decryption. */
psa_status_t compose_cbc_decrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_xts_decrypt_setup(compose_xts_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t compose_stream_decrypt_setup(compose_stream_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);

/*
 * cipher_set_iv. Set the initialisation vector, of the length that the algorithm has. A mode
 * without one needs no such function.
 */
psa_status_t compose_cbc_set_iv(compose_cbc_operation_t *operation, const uint8_t *iv,
                                size_t iv_length);
psa_status_t compose_xts_set_iv(compose_xts_operation_t *operation, const uint8_t *iv,
                                size_t iv_length);
psa_status_t compose_stream_set_iv(compose_stream_operation_t *operation, const uint8_t *iv,
                                   size_t iv_length);

/*
 * cipher_update. Process input: whole blocks of a block mode, any number of bytes of a stream mode;
 * of XTS the last call alone has a rest, behind at least one block. The output is as long as the
 * input, and apart from it or at the same place.
 * PSA_ERROR_BUFFER_TOO_SMALL: output_size is less than the input
 */
psa_status_t compose_cbc_update(compose_cbc_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);
psa_status_t compose_xts_update(compose_xts_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);
psa_status_t compose_stream_update(compose_stream_operation_t *operation, const uint8_t *input,
                                   size_t input_length, uint8_t *output, size_t output_size,
                                   size_t *output_length);

/* cipher_abort. Give back what the operation holds beside its context, which the core wipes. */
psa_status_t compose_cbc_abort(compose_cbc_operation_t *operation);
psa_status_t compose_xts_abort(compose_xts_operation_t *operation);
psa_status_t compose_stream_abort(compose_stream_operation_t *operation);

/* aead_encrypt_setup. Begin an encryption; the tag's length is in alg. */
psa_status_t compose_ccm_encrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);

/* aead_decrypt_setup. Begin a decryption; the tag's length is in alg. */
psa_status_t compose_ccm_decrypt_setup(compose_ccm_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);

/*
 * aead_set_lengths. Hear the lengths, once and right before the nonce, if they are known: for CCM
 * always.
 */
psa_status_t compose_ccm_set_lengths(compose_ccm_operation_t *operation, size_t ad_length,
                                     size_t plaintext_length);

/* aead_set_nonce. Set the nonce, before any data. */
psa_status_t compose_ccm_set_nonce(compose_ccm_operation_t *operation, const uint8_t *nonce,
                                   size_t nonce_length);

/*
 * aead_update_ad. Take the next part of the additional data, which is not empty and which no text
 * precedes.
 */
psa_status_t compose_ccm_update_ad(compose_ccm_operation_t *operation, const uint8_t *input,
                                   size_t input_length);

/*
 * aead_update. Process the next part of the text, which is not empty. The output is as long, and
 * apart or at the same place; at the same place for decryption, so that the text may be read twice.
 */
psa_status_t compose_ccm_update(compose_ccm_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);

/* aead_finish. Write the tag, for encryption and decryption alike: the core compares it. */
psa_status_t compose_ccm_finish(compose_ccm_operation_t *operation, uint8_t *tag, size_t tag_size,
                                size_t *tag_length);

/*
 * aead_abort. Give back what the operation holds beside its context, which the core wipes. Also
 * called after success.
 */
psa_status_t compose_ccm_abort(compose_ccm_operation_t *operation);

/*
 * sign_message. Sign a message.
 * PSA_ERROR_BUFFER_TOO_SMALL: signature_size is less than the signature
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that can be used
 */
psa_status_t compose_sign_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                  size_t input_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length);

/*
 * verify_message. Verify the signature of a message; of keys in memory with a public key.
 * PSA_ERROR_INVALID_SIGNATURE: not that key's signature, of whatever length
 */
psa_status_t compose_verify_message(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                    const uint8_t *signature, size_t signature_length);

/*
 * sign_message_with_context. Sign a message with a context. Called if the context is not empty;
 * without one sign_hash, verify_hash and their like are.
 * PSA_ERROR_BUFFER_TOO_SMALL: signature_size is less than the signature
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers, or none that can be used
 * PSA_ERROR_INVALID_ARGUMENT: the algorithm takes no context this long
 */
psa_status_t compose_sign_message_with_context(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, const uint8_t *context,
                                               size_t context_length, uint8_t *signature,
                                               size_t signature_size, size_t *signature_length);

/*
 * verify_message_with_context. Verify the signature of a message with a context. Called if the
 * context is not empty; without one sign_hash, verify_hash and their like are.
 * PSA_ERROR_INVALID_SIGNATURE: not that key's signature, of whatever length
 * PSA_ERROR_INVALID_ARGUMENT: the algorithm takes no context this long
 */
psa_status_t compose_verify_message_with_context(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *context,
                                                 size_t context_length, const uint8_t *signature,
                                                 size_t signature_length);

/*
 * key_derivation_setup. Begin a derivation from the inputs (<corral/derivation.h>), which the core
 * has gathered and which are there during this call alone.
 */
psa_status_t compose_hkdf_setup(compose_hkdf_operation_t *operation, psa_algorithm_t alg,
                                const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_hkdf_extract_setup(compose_hkdf_extract_operation_t *operation,
                                        psa_algorithm_t alg,
                                        const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_sae_token_setup(compose_sae_token_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_hkdf_expand_setup(compose_hkdf_operation_t *operation, psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_prf_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_psk_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_ecjpake_setup(compose_tls12_ecjpake_operation_t *operation,
                                         psa_algorithm_t alg,
                                         const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t
compose_counter_kdf_hmac_setup(compose_counter_kdf_operation_t *operation, psa_algorithm_t alg,
                               const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t
compose_counter_kdf_cmac_setup(compose_counter_kdf_operation_t *operation, psa_algorithm_t alg,
                               const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_pbkdf2_hmac_setup(compose_pbkdf2_hmac_operation_t *operation,
                                       psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_pbkdf2_cmac_setup(compose_pbkdf2_cmac_operation_t *operation,
                                       psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs);

/* key_derivation_output_bytes. Write the next bytes; the core counts the capacity. */
psa_status_t compose_hkdf_output_bytes(compose_hkdf_operation_t *operation, uint8_t *output,
                                       size_t output_length);
psa_status_t compose_hkdf_extract_output_bytes(compose_hkdf_extract_operation_t *operation,
                                               uint8_t *output, size_t output_length);
psa_status_t compose_sae_token_output_bytes(compose_sae_token_operation_t *operation,
                                            uint8_t *output, size_t output_length);
psa_status_t compose_tls12_output_bytes(compose_tls12_operation_t *operation, uint8_t *output,
                                        size_t output_length);
psa_status_t compose_tls12_ecjpake_output_bytes(compose_tls12_ecjpake_operation_t *operation,
                                                uint8_t *output, size_t output_length);
psa_status_t compose_counter_kdf_output_bytes(compose_counter_kdf_operation_t *operation,
                                              uint8_t *output, size_t output_length);
psa_status_t compose_pbkdf2_hmac_output_bytes(compose_pbkdf2_hmac_operation_t *operation,
                                              uint8_t *output, size_t output_length);
psa_status_t compose_pbkdf2_cmac_output_bytes(compose_pbkdf2_cmac_operation_t *operation,
                                              uint8_t *output, size_t output_length);

/*
 * key_derivation_abort. Give back what the operation holds beside its context, which the core
 * wipes.
 */
psa_status_t compose_hkdf_abort(compose_hkdf_operation_t *operation);
psa_status_t compose_hkdf_extract_abort(compose_hkdf_extract_operation_t *operation);
psa_status_t compose_sae_token_abort(compose_sae_token_operation_t *operation);
psa_status_t compose_tls12_abort(compose_tls12_operation_t *operation);
psa_status_t compose_tls12_ecjpake_abort(compose_tls12_ecjpake_operation_t *operation);
psa_status_t compose_counter_kdf_abort(compose_counter_kdf_operation_t *operation);
psa_status_t compose_pbkdf2_hmac_abort(compose_pbkdf2_hmac_operation_t *operation);
psa_status_t compose_pbkdf2_cmac_abort(compose_pbkdf2_cmac_operation_t *operation);

/* init_random. Begin a generator, before any entropy. The driver's context stays where it is. */
psa_status_t compose_drbg_init_random(compose_drbg_context_t *context);

/*
 * add_entropy. Take entropy of the board: at first initial_entropy_size bytes, later
 * reseed_entropy_size.
 */
psa_status_t compose_drbg_add_entropy(compose_drbg_context_t *context, const uint8_t *entropy,
                                      size_t entropy_size);

/*
 * get_random. Write random bytes, at most as many as asked for and at least one.
 * PSA_ERROR_INSUFFICIENT_ENTROPY: the generator has to be seeded first, or its source failed
 */
psa_status_t compose_drbg_get_random(compose_drbg_context_t *context, uint8_t *output,
                                     size_t output_size, size_t *output_length);

/*
 * wrap_key. Wrap the data of a key in export format under the key given. The output is the core's
 * own memory, and may begin where the data does.
 * PSA_ERROR_INVALID_ARGUMENT: data of a length that the algorithm does not wrap
 * PSA_ERROR_BUFFER_TOO_SMALL: wrapped_size is less than the result
 */
psa_status_t compose_wrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                              size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *data,
                              size_t data_length, uint8_t *wrapped, size_t wrapped_size,
                              size_t *wrapped_length);

/*
 * unwrap_key. The inverse of wrap_key; `data` may hold anything after a failure.
 * PSA_ERROR_INVALID_SIGNATURE: not what wrapping under this key gives
 * PSA_ERROR_BUFFER_TOO_SMALL: data_size is less than what the driver writes meanwhile
 */
psa_status_t compose_unwrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *wrapped,
                                size_t wrapped_length, uint8_t *data, size_t data_size,
                                size_t *data_length);

/*
 * encapsulate. Make a secret, and the ciphertext that tells it to the owner of the key.
 * PSA_ERROR_BUFFER_TOO_SMALL: one of them does not fit
 * PSA_ERROR_INSUFFICIENT_ENTROPY: no random numbers
 */
psa_status_t compose_encapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, uint8_t *secret,
                                 size_t secret_size, size_t *secret_length, uint8_t *ciphertext,
                                 size_t ciphertext_size, size_t *ciphertext_length);

/*
 * decapsulate. Get the secret out of a ciphertext.
 * PSA_ERROR_INVALID_ARGUMENT: no ciphertext, by its length or form
 * PSA_ERROR_BUFFER_TOO_SMALL: the secret does not fit
 */
psa_status_t compose_decapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg,
                                 const uint8_t *ciphertext, size_t ciphertext_length,
                                 uint8_t *secret, size_t secret_size, size_t *secret_length);

#endif
