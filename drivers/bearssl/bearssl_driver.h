/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points over BearSSL 0.6. Dispatch calls them for the mechanisms of driver.json only, with
 * key type, key size and algorithm matched; argument order and the statuses that every entry point
 * shares are those of the PSA Crypto Driver Interface 1.0. Sizes are in bytes. *..._length is
 * written on success only. PSA_ERROR_BUFFER_TOO_SMALL always means that nothing was written.
 */
#ifndef BEARSSL_DRIVER_H
#define BEARSSL_DRIVER_H

#include "aead.h"
#include "bearssl_contexts.h"
#include "bearssl_pake.h"

#include <corral/pake.h>
#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hashes: MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 (FIPS 180-4, RFC 1321).
 * *_compute: the whole input at once; its state is wiped.
 * *_setup, *_update, *_finish, *_abort: the multi-part operation. Hashes of one family share the
 *   context and so *_update, *_suspend and *_abort. *_finish does not change the state.
 * *_suspend, *_resume: the state after the algorithm field, as in hash_state.h.
 *   PSA_ERROR_BUFFER_TOO_SMALL  the output is shorter than the hash, or than the suspend state
 *   PSA_ERROR_INVALID_ARGUMENT  *_resume: not a state that *_suspend writes
 *   PSA_ERROR_NOT_SUPPORTED     *_resume: 2^64 bytes or more were hashed
 */
psa_status_t bearssl_driver_md5_compute(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *hash, size_t hash_size,
                                        size_t *hash_length);
psa_status_t bearssl_driver_md5_setup(bearssl_driver_md5_operation_t *operation,
                                      psa_algorithm_t alg);
psa_status_t bearssl_driver_md5_finish(bearssl_driver_md5_operation_t *operation, uint8_t *hash,
                                       size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_md5_resume(bearssl_driver_md5_operation_t *operation,
                                       psa_algorithm_t alg, const uint8_t *state,
                                       size_t state_length);
psa_status_t bearssl_driver_md5_update(bearssl_driver_md5_operation_t *operation,
                                       const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_md5_suspend(const bearssl_driver_md5_operation_t *operation,
                                        uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t bearssl_driver_md5_abort(bearssl_driver_md5_operation_t *operation);
psa_status_t bearssl_driver_sha1_compute(psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length);
psa_status_t bearssl_driver_sha1_setup(bearssl_driver_sha1_operation_t *operation,
                                       psa_algorithm_t alg);
psa_status_t bearssl_driver_sha1_finish(bearssl_driver_sha1_operation_t *operation, uint8_t *hash,
                                        size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha1_resume(bearssl_driver_sha1_operation_t *operation,
                                        psa_algorithm_t alg, const uint8_t *state,
                                        size_t state_length);
psa_status_t bearssl_driver_sha1_update(bearssl_driver_sha1_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_sha1_suspend(const bearssl_driver_sha1_operation_t *operation,
                                         uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t bearssl_driver_sha1_abort(bearssl_driver_sha1_operation_t *operation);
psa_status_t bearssl_driver_sha224_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t bearssl_driver_sha224_setup(bearssl_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t bearssl_driver_sha224_finish(bearssl_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha224_resume(bearssl_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t bearssl_driver_sha256_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t bearssl_driver_sha256_setup(bearssl_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t bearssl_driver_sha256_finish(bearssl_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha256_resume(bearssl_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t bearssl_driver_sha256_update(bearssl_driver_sha256_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_sha256_suspend(const bearssl_driver_sha256_operation_t *operation,
                                           uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t bearssl_driver_sha256_abort(bearssl_driver_sha256_operation_t *operation);
psa_status_t bearssl_driver_sha384_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t bearssl_driver_sha384_setup(bearssl_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t bearssl_driver_sha384_finish(bearssl_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha384_resume(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t bearssl_driver_sha512_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length);
psa_status_t bearssl_driver_sha512_setup(bearssl_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg);
psa_status_t bearssl_driver_sha512_finish(bearssl_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha512_resume(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length);
psa_status_t bearssl_driver_sha512_update(bearssl_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_sha512_suspend(const bearssl_driver_sha512_operation_t *operation,
                                           uint8_t *state, size_t state_size, size_t *state_length);
psa_status_t bearssl_driver_sha512_abort(bearssl_driver_sha512_operation_t *operation);

/*
 * Hashes that are cut: SHA-512/224, SHA-512/256, from a start of their own, and SHA-256/192. What
 * is not here is that of the whole hash; there is no suspend.
 *   PSA_ERROR_BUFFER_TOO_SMALL  nothing was written
 */
psa_status_t bearssl_driver_sha512t_compute(psa_algorithm_t alg, const uint8_t *input,
                                            size_t input_length, uint8_t *hash, size_t hash_size,
                                            size_t *hash_length);
psa_status_t bearssl_driver_sha512t_setup(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg);
psa_status_t bearssl_driver_sha512_224_finish(bearssl_driver_sha512_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha512_256_finish(bearssl_driver_sha512_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t bearssl_driver_sha256_192_compute(psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *hash, size_t hash_size,
                                               size_t *hash_length);
psa_status_t bearssl_driver_sha256_192_finish(bearssl_driver_sha256_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length);

/* The library's descriptions of its hashes, which driver.json passes: <bearssl_hash.h>. */
extern const struct br_hash_class_ br_md5_vtable, br_sha1_vtable, br_sha224_vtable,
    br_sha256_vtable, br_sha384_vtable, br_sha512_vtable;

/*
 * HMAC (RFC 2104) over each of these hashes, always at full length; a key longer than a block is
 * hashed first. The context holds the two keyed states, not the key.
 *   PSA_ERROR_BUFFER_TOO_SMALL  mac_size is less than the hash
 */
psa_status_t bearssl_driver_hmac_compute(const struct br_hash_class_ *hash,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *mac, size_t mac_size,
                                         size_t *mac_length);
psa_status_t bearssl_driver_hmac_setup(const struct br_hash_class_ *hash,
                                       bearssl_driver_hmac_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg);
psa_status_t bearssl_driver_hmac_update(bearssl_driver_hmac_operation_t *operation,
                                        const uint8_t *input, size_t input_length);
psa_status_t bearssl_driver_hmac_finish(bearssl_driver_hmac_operation_t *operation, uint8_t *mac,
                                        size_t mac_size, size_t *mac_length);
psa_status_t bearssl_driver_hmac_abort(bearssl_driver_hmac_operation_t *operation);

/*
 * AES-128, AES-192 and AES-256, in a time that depends on lengths only. ECB and CBC get whole
 * blocks, CTR any length; output and input are equal or disjoint. The context holds the expanded
 * key until *_abort.
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than input_length
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has not 16 bytes
 */
psa_status_t bearssl_driver_aes_ecb_encrypt_setup(bearssl_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t bearssl_driver_aes_ecb_decrypt_setup(bearssl_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t bearssl_driver_aes_ecb_update(bearssl_driver_aes_ecb_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t bearssl_driver_aes_ecb_abort(bearssl_driver_aes_ecb_operation_t *operation);
psa_status_t bearssl_driver_aes_cbc_encrypt_setup(bearssl_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t bearssl_driver_aes_cbc_decrypt_setup(bearssl_driver_aes_cbc_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg);
psa_status_t bearssl_driver_aes_cbc_set_iv(bearssl_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t bearssl_driver_aes_cbc_update(bearssl_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t bearssl_driver_aes_cbc_abort(bearssl_driver_aes_cbc_operation_t *operation);
psa_status_t bearssl_driver_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_aes_ctr_setup(bearssl_driver_aes_ctr_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg);
psa_status_t bearssl_driver_aes_ctr_set_iv(bearssl_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length);
psa_status_t bearssl_driver_aes_ctr_update(bearssl_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length);
psa_status_t bearssl_driver_aes_ctr_abort(bearssl_driver_aes_ctr_operation_t *operation);

/*
 * The curves. Points and scalars have the format of PSA (04 || X || Y, big-endian), and so has
 * r || s. What the library left on the stack is overwritten.
 */
extern const struct bearssl_driver_curve bearssl_driver_p256, bearssl_driver_p384,
    bearssl_driver_p521;

/*
 * Check a private key (1 to n - 1, in a time that does not depend on it) or a public key (on the
 * curve) and copy it. *key_buffer_length and *bits are written on success only.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 *   PSA_ERROR_BUFFER_TOO_SMALL  the key is longer than key_buffer_size
 */
psa_status_t bearssl_driver_curve_import_key(const struct bearssl_driver_curve *curve,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits);

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 *   PSA_ERROR_BUFFER_TOO_SMALL      no room for the private key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed; key_buffer holds no key
 */
psa_status_t bearssl_driver_curve_generate_key(const struct bearssl_driver_curve *curve,
                                               const psa_key_attributes_t *attributes,
                                               uint8_t *key_buffer, size_t key_buffer_size,
                                               size_t *key_buffer_length);

/*
 * Compute the public key of a private key.
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the point
 */
psa_status_t bearssl_driver_curve_export_public_key(const struct bearssl_driver_curve *curve,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, uint8_t *data,
                                                    size_t data_size, size_t *data_length);

/*
 * Deterministic ECDSA (RFC 6979) with the hash that `alg` names.
 *   PSA_ERROR_NOT_SUPPORTED     BearSSL does not have this hash, or it is not wanted in this build
 *   PSA_ERROR_BUFFER_TOO_SMALL  signature_size is less than r || s
 *   PSA_ERROR_INVALID_ARGUMENT  hash_length is not that of the hash, or the private key is invalid
 */
psa_status_t bearssl_driver_curve_sign_hash(const struct bearssl_driver_curve *curve,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, uint8_t *signature,
                                            size_t signature_size, size_t *signature_length);

/*
 * Verify r || s over a digest of any length, truncated as SEC 1 says.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of the curve's length
 */
psa_status_t bearssl_driver_curve_verify_hash(const struct bearssl_driver_curve *curve,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg, const uint8_t *hash,
                                              size_t hash_length, const uint8_t *signature,
                                              size_t signature_length);

/*
 * ECDH: the X coordinate of the shared point.
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than a coordinate
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is not a point of the curve
 */
psa_status_t bearssl_driver_curve_key_agreement(const struct bearssl_driver_curve *curve,
                                                psa_algorithm_t alg,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                const uint8_t *peer_key, size_t peer_key_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length);

/*
 * X25519. Keys have 32 bytes, little-endian; the public key may be any 32 bytes (RFC 7748).
 * *_import: stores a private key with its forced bits set. *bits is 255.
 * *_generate: the public key follows the private key if there is room for both.
 * *_agree: the shared secret of RFC 7748 section 6.1.
 *   PSA_ERROR_INVALID_ARGUMENT      a key has not 32 bytes, or the peer's key is a point of small
 *                                   order, so that the secret would be zero
 *   PSA_ERROR_BUFFER_TOO_SMALL      no room for 32 bytes
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed
 */
psa_status_t bearssl_driver_x25519_import_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *data, size_t data_length,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length, size_t *bits);
psa_status_t bearssl_driver_x25519_generate_key(const psa_key_attributes_t *attributes,
                                                uint8_t *key_buffer, size_t key_buffer_size,
                                                size_t *key_buffer_length);
psa_status_t bearssl_driver_x25519_export_public_key(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, uint8_t *data,
                                                     size_t data_size, size_t *data_length);
psa_status_t bearssl_driver_x25519_key_agreement(psa_algorithm_t alg,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 const uint8_t *peer_key, size_t peer_key_length,
                                                 uint8_t *output, size_t output_size,
                                                 size_t *output_length);

/*
 * HMAC_DRBG with SHA-256 (NIST SP 800-90A). *_add_entropy: the first call instantiates (entropy and
 * nonce together), later calls reseed. *_get_random: *output_length may be less than output_size.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_get_random before the first *_add_entropy
 */
psa_status_t bearssl_driver_add_entropy(bearssl_driver_random_context_t *context,
                                        const uint8_t *entropy, size_t entropy_size);
psa_status_t bearssl_driver_get_random(bearssl_driver_random_context_t *context, uint8_t *output,
                                       size_t output_size, size_t *output_length);

/*
 * RSA keys, as in corral/rsa.h, up to 4096 bits. *_import_key tries a pair; it does not test the
 * primes. Signatures: PKCS#1 v1.5, with and without hash, checked before they leave. Encryption:
 * OAEP with `salt` as label.
 *   PSA_ERROR_INVALID_ARGUMENT      no key, or its numbers contradict each other; a hash or text
 *                                   too long for the key, a ciphertext of another length
 *   PSA_ERROR_INVALID_SIGNATURE     not a signature by this key, whatever its length
 *   PSA_ERROR_INVALID_PADDING       what is encrypted has no valid padding, or another label
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed
 *   PSA_ERROR_NOT_SUPPORTED         another hash than SHA-1 and SHA-2; a key as corral/rsa.h says
 */
psa_status_t bearssl_driver_rsa_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);
psa_status_t bearssl_driver_rsa_export_public_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  uint8_t *data, size_t data_size,
                                                  size_t *data_length);
psa_status_t bearssl_driver_rsa_sign_hash(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg, const uint8_t *hash,
                                          size_t hash_length, uint8_t *signature,
                                          size_t signature_size, size_t *signature_length);
psa_status_t bearssl_driver_rsa_verify_hash(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *hash,
                                            size_t hash_length, const uint8_t *signature,
                                            size_t signature_length);
psa_status_t bearssl_driver_rsa_asymmetric_encrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_rsa_asymmetric_decrypt(
    const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size,
    psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *salt,
    size_t salt_length, uint8_t *output, size_t output_size, size_t *output_length);

/*
 * WPA3-SAE (IEEE 802.11-2024, 12.4) on P-256, P-384 and P-521, and in groups 15 and 16 of RFC 3526.
 * *_import_key: a password token. *_derive_key: the token that a seed gives, which HKDF-Extract has
 *   made of the SSID and the password (12.4.4.2.3, 12.4.4.3.3).
 * The others are steps, whose order the core keeps. A password is looped over at the first
 *   commitment, with as many candidates whatever it is.
 *   PSA_ERROR_INVALID_ARGUMENT      *_import_key: no element of the group, or the neutral one;
 *                                   *_derive_key: the seed is not as long as the group's hash;
 *                                   *_input: a scalar out of range, no element, a commitment of
 *                                   another length, or our own, sent back; a salt longer than
 *                                   PSA_PAKE_INPUT_SIZE(); a counter that has not two bytes
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the other side does not have the key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  *_output: corral_random() failed
 *   PSA_ERROR_BUFFER_TOO_SMALL      nothing was written
 *   PSA_ERROR_GENERIC_ERROR         no element was found for the password: one of 2^40
 * *_input, *_output: also as the build's HMAC fails.
 */
psa_status_t bearssl_driver_sae_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);
psa_status_t bearssl_driver_sae_derive_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length);
psa_status_t bearssl_driver_sae_setup(bearssl_driver_sae_operation_t *operation,
                                      const psa_crypto_driver_pake_inputs_t *inputs);
psa_status_t bearssl_driver_sae_output(bearssl_driver_sae_operation_t *operation,
                                       const psa_crypto_driver_pake_inputs_t *inputs,
                                       psa_crypto_driver_pake_step_t step, uint8_t *output,
                                       size_t output_size, size_t *output_length);
psa_status_t bearssl_driver_sae_input(bearssl_driver_sae_operation_t *operation,
                                      const psa_crypto_driver_pake_inputs_t *inputs,
                                      psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                      size_t input_length);
psa_status_t bearssl_driver_sae_get_implicit_key(bearssl_driver_sae_operation_t *operation,
                                                 const psa_crypto_driver_pake_inputs_t *inputs,
                                                 uint8_t *output, size_t output_size,
                                                 size_t *output_length);
psa_status_t bearssl_driver_sae_abort(bearssl_driver_sae_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
