/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric signature (sections 10.9.7 and 10.9.8). */
#ifndef PSA_CRYPTO_SIGN_H
#define PSA_CRYPTO_SIGN_H

#include "crypto_sign_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length);
psa_status_t psa_sign_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_length,
                                           const uint8_t *context, size_t context_length,
                                           uint8_t *signature, size_t signature_size,
                                           size_t *signature_length);
psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length);
psa_status_t psa_verify_message_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *context, size_t context_length,
                                             const uint8_t *signature, size_t signature_length);
psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length);
psa_status_t psa_sign_hash_with_context(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *context,
                                        size_t context_length, uint8_t *signature,
                                        size_t signature_size, size_t *signature_length);
psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length);
psa_status_t psa_verify_hash_with_context(psa_key_id_t key, psa_algorithm_t alg,
                                          const uint8_t *hash, size_t hash_length,
                                          const uint8_t *context, size_t context_length,
                                          const uint8_t *signature, size_t signature_length);

#define PSA_SIGN_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_sign_setup(psa_sign_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg);
psa_status_t psa_sign_set_context(psa_sign_operation_t *operation, const uint8_t *context,
                                  size_t context_length);
psa_status_t psa_sign_update(psa_sign_operation_t *operation, const uint8_t *input,
                             size_t input_length);
psa_status_t psa_sign_finish(psa_sign_operation_t *operation, uint8_t *signature,
                             size_t signature_size, size_t *signature_length);
psa_status_t psa_sign_abort(psa_sign_operation_t *operation);

#define PSA_VERIFY_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_verify_setup(psa_verify_operation_t *operation, psa_key_id_t key,
                              psa_algorithm_t alg, const uint8_t *signature,
                              size_t signature_length);
psa_status_t psa_verify_set_context(psa_verify_operation_t *operation, const uint8_t *context,
                                    size_t context_length);
psa_status_t psa_verify_update(psa_verify_operation_t *operation, const uint8_t *input,
                               size_t input_length);
psa_status_t psa_verify_finish(psa_verify_operation_t *operation);
psa_status_t psa_verify_abort(psa_verify_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
