/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of mldsa-native. The functions are entry points: dispatch/entry_points.toml. */
#ifndef MLDSA_NATIVE_DRIVER_H
#define MLDSA_NATIVE_DRIVER_H

#include <psa/crypto_families.h>

#include "mldsa_native_contexts.h"

/* Overwrite the stack on which Keccak-f has left its state, which may be of a secret. */
void mldsa_native_driver_wipe_stack_shake(void);

/*
 * SHAKE128 and SHAKE256 (FIPS 202), extendable and as hashes of a fixed length. None of them fails,
 * except that a hash is BUFFER_TOO_SMALL where its length does not fit; then nothing is written.
 */
psa_status_t mldsa_native_driver_shake128_setup(mldsa_native_driver_shake_operation_t *operation,
                                                psa_algorithm_t alg);
psa_status_t mldsa_native_driver_shake128_update(mldsa_native_driver_shake_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t mldsa_native_driver_shake128_output(mldsa_native_driver_shake_operation_t *operation,
                                                 uint8_t *output, size_t output_length);
psa_status_t
mldsa_native_driver_shake128_256_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mldsa_native_driver_shake128_abort(mldsa_native_driver_shake_operation_t *operation);

psa_status_t mldsa_native_driver_shake256_setup(mldsa_native_driver_shake_operation_t *operation,
                                                psa_algorithm_t alg);
psa_status_t mldsa_native_driver_shake256_update(mldsa_native_driver_shake_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t mldsa_native_driver_shake256_output(mldsa_native_driver_shake_operation_t *operation,
                                                 uint8_t *output, size_t output_length);
psa_status_t
mldsa_native_driver_shake256_192_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t
mldsa_native_driver_shake256_256_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t
mldsa_native_driver_shake256_512_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mldsa_native_driver_shake256_abort(mldsa_native_driver_shake_operation_t *operation);

/*
 * ML-DSA (FIPS 204). A key pair is its seed, and is expanded each time that it is used (5.1).
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  generate, and sign unless deterministic: no random bytes
 */
psa_status_t mldsa_native_driver_generate_key(const psa_key_attributes_t *attributes,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length);

/* What is signed before message or hash: a domain, the context, and the hash's identifier. */
#define MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX 2
#define MLDSA_NATIVE_DRIVER_HASH_PREFIX 13
#define MLDSA_NATIVE_DRIVER_CONTEXT_MAX 255

/* Write the prefix of a message, or of a hash; `context_length` more bytes than the above. Returns
 * the length; 0: the hash of the algorithm has no identifier. */
size_t mldsa_native_driver_message_prefix(const uint8_t *context, size_t context_length,
                                          uint8_t *prefix);
size_t mldsa_native_driver_hash_prefix(psa_algorithm_t alg, const uint8_t *context,
                                       size_t context_length, uint8_t *prefix);

/*
 * For each size: keys and signatures. Statuses of their own:
 *   import       PSA_ERROR_INVALID_ARGUMENT   another length, or a pair without a size: seeds do
 *                                             not tell it
 *   sign_*       PSA_ERROR_BUFFER_TOO_SMALL   the signature does not fit
 *   *_hash       PSA_ERROR_NOT_SUPPORTED      a hash without an identifier in FIPS 204
 *   verify_*     PSA_ERROR_INVALID_SIGNATURE  not that key's signature, of whatever length
 *   *_context    PSA_ERROR_INVALID_ARGUMENT   a context of more than 255 bytes
 */
#define MLDSA_NATIVE_DRIVER_SIZE(n)                                                                \
    psa_status_t mldsa_native_driver_##n##_import_key(                                             \
        const psa_key_attributes_t *attributes, const uint8_t *data, size_t data_length,           \
        uint8_t *key_buffer, size_t key_buffer_size, size_t *key_buffer_length, size_t *bits);     \
    psa_status_t mldsa_native_driver_##n##_export_public_key(                                      \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        uint8_t *data, size_t data_size, size_t *data_length);                                     \
    psa_status_t mldsa_native_driver_##n##_sign_message_with_context(                              \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,    \
        size_t context_length, uint8_t *signature, size_t signature_size,                          \
        size_t *signature_length);                                                                 \
    psa_status_t mldsa_native_driver_##n##_verify_message_with_context(                            \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *context,    \
        size_t context_length, const uint8_t *signature, size_t signature_length);                 \
    psa_status_t mldsa_native_driver_##n##_sign_message(                                           \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *input, size_t input_length, uint8_t *signature,        \
        size_t signature_size, size_t *signature_length);                                          \
    psa_status_t mldsa_native_driver_##n##_verify_message(                                         \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *input, size_t input_length, const uint8_t *signature,  \
        size_t signature_length);                                                                  \
    psa_status_t mldsa_native_driver_##n##_sign_hash_with_context(                                 \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,      \
        size_t context_length, uint8_t *signature, size_t signature_size,                          \
        size_t *signature_length);                                                                 \
    psa_status_t mldsa_native_driver_##n##_verify_hash_with_context(                               \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *context,      \
        size_t context_length, const uint8_t *signature, size_t signature_length);                 \
    psa_status_t mldsa_native_driver_##n##_sign_hash(                                              \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, uint8_t *signature,          \
        size_t signature_size, size_t *signature_length);                                          \
    psa_status_t mldsa_native_driver_##n##_verify_hash(                                            \
        const psa_key_attributes_t *attributes, const uint8_t *key_buffer, size_t key_buffer_size, \
        psa_algorithm_t alg, const uint8_t *hash, size_t hash_length, const uint8_t *signature,    \
        size_t signature_length)

MLDSA_NATIVE_DRIVER_SIZE(44);
MLDSA_NATIVE_DRIVER_SIZE(65);
MLDSA_NATIVE_DRIVER_SIZE(87);

#endif
