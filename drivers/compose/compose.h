/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructions over primitives that other drivers serve. Every function keeps the contract of the
 * entry point that it is named after (dispatch/entry_points.toml); statuses not listed here are
 * those of the driver below.
 */
#ifndef COMPOSE_H
#define COMPOSE_H

#include <psa/crypto.h>

#include "cbc.h"
#include "ccm.h"
#include "cmac.h"
#include "counter_kdf.h"
#include "drbg.h"
#include "hkdf.h"
#include "hmac.h"
#include "pbkdf2.h"
#include "sae_token.h"
#include "stream.h"
#include "tls12.h"
#include "xts.h"

/*
 * Sign a message by hashing it and signing the hash, wherever the key lives (Driver Interface 1.0,
 * sign_message).
 *   PSA_ERROR_NOT_SUPPORTED  the build lacks the hash, or nobody signs hashes with this key
 */
psa_status_t compose_sign_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                  size_t input_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length);

/*
 * Verify the signature of a message by hashing it and verifying the signature of the hash.
 *   PSA_ERROR_INVALID_SIGNATURE  it is not that key's signature of this message
 *   PSA_ERROR_NOT_SUPPORTED      as above
 */
psa_status_t compose_verify_message(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                    const uint8_t *signature, size_t signature_length);

/*
 * The same with a context that is signed with the hash.
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes none this long
 *   others                      as above
 */
psa_status_t compose_sign_message_with_context(const psa_key_attributes_t *attributes,
                                               const uint8_t *key_buffer, size_t key_buffer_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, const uint8_t *context,
                                               size_t context_length, uint8_t *signature,
                                               size_t signature_size, size_t *signature_length);
psa_status_t compose_verify_message_with_context(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *context,
                                                 size_t context_length, const uint8_t *signature,
                                                 size_t signature_length);

/*
 * Wrap a key's data by AES-KW (RFC 3394) or AES-KWP (RFC 5649). `wrapped` may begin where `data`
 * does, and needs room for 8 bytes and whole semi-blocks more.
 *   PSA_ERROR_INVALID_ARGUMENT  KW: less than 16 bytes, or no multiple of 8; KWP: no byte
 */
psa_status_t compose_wrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                              size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *data,
                              size_t data_length, uint8_t *wrapped, size_t wrapped_size,
                              size_t *wrapped_length);

/*
 * The inverse. `data` needs room for as many bytes as `wrapped` has, and may hold anything after a
 * failure.
 *   PSA_ERROR_INVALID_SIGNATURE  not what wrapping with this key gives, whatever is wrong with it
 */
psa_status_t compose_unwrap_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *wrapped,
                                size_t wrapped_length, uint8_t *data, size_t data_size,
                                size_t *data_length);

/*
 * Agree on a secret with the owner of an ECC public key by a fresh pair, whose public key is the
 * ciphertext (ECIES of SEC 1), and get it out of that.
 *   PSA_ERROR_BUFFER_TOO_SMALL    the public key does not fit into `ciphertext`
 *   PSA_ERROR_INVALID_ARGUMENT    `ciphertext` is no public key on the curve
 */
psa_status_t compose_encapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg, uint8_t *secret,
                                 size_t secret_size, size_t *secret_length, uint8_t *ciphertext,
                                 size_t ciphertext_size, size_t *ciphertext_length);
psa_status_t compose_decapsulate(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg,
                                 const uint8_t *ciphertext, size_t ciphertext_length,
                                 uint8_t *secret, size_t secret_size, size_t *secret_length);

#endif
