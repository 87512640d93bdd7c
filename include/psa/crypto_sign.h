/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric signature (sections 10.9.8 and 10.9.9). */
#ifndef PSA_CRYPTO_SIGN_H
#define PSA_CRYPTO_SIGN_H

#include "crypto_sign_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Signs a message with a key pair; writes *signature_length bytes. Room needed:
 * PSA_SIGN_OUTPUT_SIZE(type, bits, alg). With an algorithm that hashes first, this is the same as
 * signing the hash; a context, if the algorithm has one, is empty. EdDSA and SLH-DSA read
 * the message twice: it must not change meanwhile (docs/SECURITY.md). Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_SIGN_MESSAGE, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      signature_size is less than the signature
 *   PSA_ERROR_INVALID_ARGUMENT      alg signs no messages, does not fit the key, or does not take
 *                                   a message this long
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the signature
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length);

/* psa_sign_message() with a context, a string that separates uses of one key. An empty one gives
 * the same signature as no context; another needs PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg). EdDSA
 * and SLH-DSA read the message twice: it must not change meanwhile. Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_SIGN_MESSAGE, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      signature_size is less than the signature
 *   PSA_ERROR_INVALID_ARGUMENT      alg signs no messages, takes no context or none this long,
 *                                   does not fit the key, or does not take a message this long
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key and context
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the signature
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_sign_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_length,
                                           const uint8_t *context, size_t context_length,
                                           uint8_t *signature, size_t signature_size,
                                           size_t *signature_length);

/* Verifies the signature of a message with a public key or key pair. Only PSA_SUCCESS means
 * that the signature is valid. A context, if the algorithm has one, is empty. Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_VERIFY_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  it is not the signature of this message by this key, or has
 *                                another length
 *   PSA_ERROR_INVALID_ARGUMENT   alg signs no messages, does not fit the key, or does not take a
 *                                message this long
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build verifies alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length);

/* psa_verify_message() with the context that was signed. An empty one is the same as none; another
 * needs PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg). Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_VERIFY_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  it is not the signature of this message and context by this key
 *   PSA_ERROR_INVALID_ARGUMENT   alg signs no messages, takes no context or none this long, does
 *                                not fit the key, or does not take a message this long
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build verifies alg with such a key and context
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_verify_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *context, size_t context_length,
                                             const uint8_t *signature, size_t signature_length);

/* Signs a hash with a key pair; writes *signature_length bytes. Room needed:
 * PSA_SIGN_OUTPUT_SIZE(type, bits, alg). hash has the length of the hash inside alg;
 * PSA_ALG_ECDSA_ANY and PSA_ALG_RSA_PKCS1V15_SIGN_RAW take other lengths. A context, if the
 * algorithm has one, is empty. Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_SIGN_HASH, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      signature_size is less than the signature
 *   PSA_ERROR_INVALID_ARGUMENT      alg signs no hashes, does not fit the key, or the hash has the
 *                                   wrong length
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the signature
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length);

/* psa_sign_hash() with a context. An empty one gives the same signature as no context; another
 * needs PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg). Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_SIGN_HASH, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      signature_size is less than the signature
 *   PSA_ERROR_INVALID_ARGUMENT      alg signs no hashes, takes no context or none this long, does
 *                                   not fit the key, or the hash has the wrong length
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key and context
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the signature
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_sign_hash_with_context(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *context,
                                        size_t context_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);

/* Verifies the signature of a hash with a public key or key pair. Only PSA_SUCCESS
 * means that the signature is valid. hash has the length of the hash inside alg, as for
 * psa_sign_hash(). A context, if the algorithm has one, is empty. Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_VERIFY_HASH, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  it is not the signature of this hash by this key, or has another
 *                                length
 *   PSA_ERROR_INVALID_ARGUMENT   alg signs no hashes, does not fit the key, or the hash has the
 *                                wrong length
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build verifies alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length);

/* psa_verify_hash() with the context that was signed. An empty one is the same as none; another
 * needs PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg). Section 10.9.8.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_VERIFY_HASH, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  it is not the signature of this hash and context by this key
 *   PSA_ERROR_INVALID_ARGUMENT   alg signs no hashes, takes no context or none this long, does not
 *                                fit the key, or the hash has the wrong length
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build verifies alg with such a key and context
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_verify_hash_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                          const uint8_t *hash, size_t hash_length,
                                          const uint8_t *context, size_t context_length,
                                          const uint8_t *signature, size_t signature_length);

/* Initialiser of an inactive operation. */
#define PSA_SIGN_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts the signature of a message in parts: psa_sign_set_context() if wanted, psa_sign_update()
 * any number of times, then psa_sign_finish(). Algorithms that read the message twice, EdDSA
 * without prehash and SLH-DSA, cannot. On failure the operation is unchanged. Section 10.9.9.
 *   PSA_ERROR_BAD_STATE             the operation is not inactive, or the library is not
 *                                   initialised
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_SIGN_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT      alg signs no messages in parts, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key in parts
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the signature
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_sign_setup(psa_sign_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg);

/* Sets the context, before any part of the message; without it the context is empty. An empty one
 * is accepted by every algorithm. On failure the operation is in the error state: abort it.
 * Section 10.9.9.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or has a context or part of its
 *                               message
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes no context, or none this long
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such a context
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_sign_set_context(psa_sign_operation_t *operation, const uint8_t *context,
                                  size_t context_length);

/* Adds a part of the message. On failure the operation is in the error state: abort it. Section
 * 10.9.9.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_INVALID_ARGUMENT  the message grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the message grows beyond what this build takes
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_sign_update(psa_sign_operation_t *operation, const uint8_t *input,
                             size_t input_length);

/* Gives the signature of the parts, *signature_length bytes, and ends the operation. Room needed:
 * PSA_SIGN_OUTPUT_SIZE(type, bits, alg). On failure, too small a buffer included, the operation is
 * in the error state: abort it. Section 10.9.9.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_BUFFER_TOO_SMALL  signature_size is less than the signature
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_sign_finish(psa_sign_operation_t *operation, uint8_t *signature,
                             size_t signature_size, size_t *signature_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.9.9.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_sign_abort(psa_sign_operation_t *operation);

/* Initialiser of an inactive operation. */
#define PSA_VERIFY_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts the verification of a message in parts: psa_verify_set_context() if one was signed,
 * psa_verify_update() any number of times, then psa_verify_finish(). The signature comes first,
 * because some algorithms need it to begin. On failure the operation is unchanged. Section 10.9.9.
 *   PSA_ERROR_BAD_STATE             the operation is not inactive, or the library is not
 *                                   initialised
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_VERIFY_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT      alg verifies no messages in parts, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build verifies alg with such a key in parts
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data to blind the computation
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_verify_setup(psa_verify_operation_t *operation, psa_key_id_t key,
                              psa_algorithm_t alg, const uint8_t *signature,
                              size_t signature_length);

/* Sets the context that was signed, before any part of the message; without it the context is
 * empty. An empty one is accepted by every algorithm. On failure the operation is in the error
 * state: abort it. Section 10.9.9.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or has a context or part of its
 *                               message
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm takes no context, or none this long
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such a context
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_verify_set_context(psa_verify_operation_t *operation, const uint8_t *context,
                                    size_t context_length);

/* Adds a part of the message. On failure the operation is in the error state: abort it. Section
 * 10.9.9.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_INVALID_ARGUMENT  the message grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the message grows beyond what this build takes
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_verify_update(psa_verify_operation_t *operation, const uint8_t *input,
                               size_t input_length);

/* Tells whether the signature is that of the parts, and ends the operation. Only
 * PSA_SUCCESS means that the signature is valid. On failure, a mismatch included, the
 * operation is in the error state: abort it. Section 10.9.9.
 *   PSA_ERROR_BAD_STATE          the operation is not active
 *   PSA_ERROR_INVALID_SIGNATURE  it is not the signature of this message by this key
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_verify_finish(psa_verify_operation_t *operation);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.9.9.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_verify_abort(psa_verify_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
