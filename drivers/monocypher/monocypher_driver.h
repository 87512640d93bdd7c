/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over Monocypher 4. Dispatch calls them for the mechanisms of driver.json only, with
 * key type, key size and algorithm matched; argument order is that of the PSA Crypto Driver
 * Interface 1.0. Sizes are in bytes; *..._length and *bits are written on success only.
 *   PSA_ERROR_BUFFER_TOO_SMALL      nothing was written
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_generate: corral_random() failed
 */
#ifndef MONOCYPHER_DRIVER_H
#define MONOCYPHER_DRIVER_H

#include "monocypher_contexts.h"

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes of 64 bytes: BLAKE2b (RFC 7693) and SHA-512. *_compute takes the whole input at once and
 * wipes its state; *_finish wipes the context too.
 */
psa_status_t monocypher_driver_blake2b_compute(psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *hash, size_t hash_size,
                                               size_t *hash_length);
psa_status_t monocypher_driver_blake2b_setup(monocypher_driver_blake2b_operation_t *operation,
                                             psa_algorithm_t alg);
psa_status_t monocypher_driver_blake2b_update(monocypher_driver_blake2b_operation_t *operation,
                                              const uint8_t *input, size_t input_length);
psa_status_t monocypher_driver_blake2b_finish(monocypher_driver_blake2b_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t monocypher_driver_blake2b_abort(monocypher_driver_blake2b_operation_t *operation);
/*
 * Begin BLAKE2b with a key; what follows is as of the hash.
 *   PSA_ERROR_INVALID_ARGUMENT  a key of more than 64 bytes
 */
psa_status_t monocypher_driver_blake2b_mac_setup(monocypher_driver_blake2b_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg);

psa_status_t monocypher_driver_sha512_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *hash, size_t hash_size,
                                              size_t *hash_length);
psa_status_t monocypher_driver_sha512_setup(monocypher_driver_sha512_operation_t *operation,
                                            psa_algorithm_t alg);
psa_status_t monocypher_driver_sha512_update(monocypher_driver_sha512_operation_t *operation,
                                             const uint8_t *input, size_t input_length);
psa_status_t monocypher_driver_sha512_finish(monocypher_driver_sha512_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t monocypher_driver_sha512_abort(monocypher_driver_sha512_operation_t *operation);

/*
 * ChaCha20 (RFC 8439, IV of 12 bytes) and XChaCha20 (IV of 24 bytes) with 256-bit keys, counting
 * from 0; any length, output and input equal or disjoint. The context holds the key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has another length
 *   PSA_ERROR_NOT_SUPPORTED     the key has not 256 bits
 */
psa_status_t monocypher_driver_chacha20_setup(monocypher_driver_chacha20_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg);
psa_status_t monocypher_driver_chacha20_set_iv(monocypher_driver_chacha20_operation_t *operation,
                                               const uint8_t *iv, size_t iv_length);
psa_status_t monocypher_driver_xchacha20_set_iv(monocypher_driver_chacha20_operation_t *operation,
                                                const uint8_t *iv, size_t iv_length);
psa_status_t monocypher_driver_chacha20_update(monocypher_driver_chacha20_operation_t *operation,
                                               const uint8_t *input, size_t input_length,
                                               uint8_t *output, size_t output_size,
                                               size_t *output_length);
psa_status_t monocypher_driver_chacha20_abort(monocypher_driver_chacha20_operation_t *operation);

/*
 * ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305, whole messages and in parts. The nonce of 12
 * or 24 bytes says which.
 *   PSA_ERROR_INVALID_SIGNATURE  decryption of a whole message: the tag is another; nothing was
 *                                written
 */
psa_status_t monocypher_driver_chachapoly_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *plaintext, size_t plaintext_length,
    uint8_t *ciphertext, size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t monocypher_driver_chachapoly_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *nonce, size_t nonce_length, const uint8_t *additional_data,
    size_t additional_data_length, const uint8_t *ciphertext, size_t ciphertext_length,
    uint8_t *plaintext, size_t plaintext_size, size_t *plaintext_length);
psa_status_t monocypher_driver_chachapoly_encrypt_setup(
    monocypher_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t monocypher_driver_chachapoly_decrypt_setup(
    monocypher_driver_chachapoly_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t
monocypher_driver_chachapoly_set_nonce(monocypher_driver_chachapoly_operation_t *operation,
                                       const uint8_t *nonce, size_t nonce_length);
psa_status_t
monocypher_driver_chachapoly_update_ad(monocypher_driver_chachapoly_operation_t *operation,
                                       const uint8_t *input, size_t input_length);
psa_status_t
monocypher_driver_chachapoly_update(monocypher_driver_chachapoly_operation_t *operation,
                                    const uint8_t *input, size_t input_length, uint8_t *output,
                                    size_t output_size, size_t *output_length);
psa_status_t
monocypher_driver_chachapoly_finish(monocypher_driver_chachapoly_operation_t *operation,
                                    uint8_t *tag, size_t tag_size, size_t *tag_length);
psa_status_t
monocypher_driver_chachapoly_abort(monocypher_driver_chachapoly_operation_t *operation);

/*
 * X25519. Keys have 32 bytes, little-endian; the public key may be any 32 bytes (RFC 7748).
 * *_import: stores a private key with its forced bits set. *bits is 255.
 * *_generate: the public key follows the private key if there is room for both.
 * *_agree: the shared secret of RFC 7748 section 6.1.
 *   PSA_ERROR_INVALID_ARGUMENT  a key has not 32 bytes, or the peer's key is a point of small
 * order, so that the secret would be zero
 */
psa_status_t monocypher_driver_x25519_import_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *data, size_t data_length,
                                                 uint8_t *key_buffer, size_t key_buffer_size,
                                                 size_t *key_buffer_length, size_t *bits);
psa_status_t monocypher_driver_x25519_generate_key(const psa_key_attributes_t *attributes,
                                                   uint8_t *key_buffer, size_t key_buffer_size,
                                                   size_t *key_buffer_length);
psa_status_t monocypher_driver_x25519_export_public_key(const psa_key_attributes_t *attributes,
                                                        const uint8_t *key_buffer,
                                                        size_t key_buffer_size, uint8_t *data,
                                                        size_t data_size, size_t *data_length);
psa_status_t monocypher_driver_x25519_key_agreement(psa_algorithm_t alg,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, const uint8_t *peer_key,
                                                    size_t peer_key_length, uint8_t *output,
                                                    size_t output_size, size_t *output_length);

/*
 * Ed25519 keys of 32 bytes: the seed of RFC 8032, or a point of the curve in canonical encoding.
 * *_generate: the public key follows the seed if there is room for both. *bits is 255.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length, or not such a point
 */
psa_status_t monocypher_driver_ed25519_import_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *data, size_t data_length,
                                                  uint8_t *key_buffer, size_t key_buffer_size,
                                                  size_t *key_buffer_length, size_t *bits);
psa_status_t monocypher_driver_ed25519_generate_key(const psa_key_attributes_t *attributes,
                                                    uint8_t *key_buffer, size_t key_buffer_size,
                                                    size_t *key_buffer_length);
psa_status_t monocypher_driver_ed25519_export_public_key(const psa_key_attributes_t *attributes,
                                                         const uint8_t *key_buffer,
                                                         size_t key_buffer_size, uint8_t *data,
                                                         size_t data_size, size_t *data_length);

/*
 * Ed25519 (of a message) and Ed25519ph (of its SHA-512) signatures of 64 bytes, without context.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of 64 bytes
 *   PSA_ERROR_INVALID_ARGUMENT   Ed25519ph: the hash has not 64 bytes
 */
psa_status_t monocypher_driver_ed25519_sign_message(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *input, size_t input_length,
                                                    uint8_t *signature, size_t signature_size,
                                                    size_t *signature_length);
psa_status_t monocypher_driver_ed25519ph_sign_hash(const psa_key_attributes_t *attributes,
                                                   const uint8_t *key_buffer,
                                                   size_t key_buffer_size, psa_algorithm_t alg,
                                                   const uint8_t *hash, size_t hash_length,
                                                   uint8_t *signature, size_t signature_size,
                                                   size_t *signature_length);
psa_status_t monocypher_driver_ed25519_verify_message(const psa_key_attributes_t *attributes,
                                                      const uint8_t *key_buffer,
                                                      size_t key_buffer_size, psa_algorithm_t alg,
                                                      const uint8_t *input, size_t input_length,
                                                      const uint8_t *signature,
                                                      size_t signature_length);
psa_status_t monocypher_driver_ed25519ph_verify_hash(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, psa_algorithm_t alg,
                                                     const uint8_t *hash, size_t hash_length,
                                                     const uint8_t *signature,
                                                     size_t signature_length);

/*
 * Ed25519ctx (of a message) and Ed25519ph (of its SHA-512) signatures with a context of up to 255
 * bytes (RFC 8032, 5.1). Those without the argument have the empty context.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of 64 bytes
 *   PSA_ERROR_INVALID_ARGUMENT   a longer context; Ed25519ph: the hash has not 64 bytes
 */
psa_status_t monocypher_driver_ed25519ctx_sign_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t monocypher_driver_ed25519ctx_sign_message(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, psa_algorithm_t alg,
                                                       const uint8_t *input, size_t input_length,
                                                       uint8_t *signature, size_t signature_size,
                                                       size_t *signature_length);
psa_status_t monocypher_driver_ed25519ctx_verify_message_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length);
psa_status_t monocypher_driver_ed25519ctx_verify_message(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *signature,
    size_t signature_length);
psa_status_t monocypher_driver_ed25519ph_sign_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t monocypher_driver_ed25519ph_verify_hash_with_context(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,
    size_t context_length, const uint8_t *signature, size_t signature_length);

#ifdef __cplusplus
}
#endif

#endif
