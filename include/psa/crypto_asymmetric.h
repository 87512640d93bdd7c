/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric encryption (section 10.10). */
#ifndef PSA_CRYPTO_ASYMMETRIC_H
#define PSA_CRYPTO_ASYMMETRIC_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* RSA encryption of PKCS#1 v1.5 (RFC 8017). Its padding is a known oracle: prefer OAEP. */
#define PSA_ALG_RSA_PKCS1V15_CRYPT ((psa_algorithm_t)0x07000200)

/* RSA-OAEP (RFC 8017). The hash serves for the label and for the mask; the salt is the label. */
#define PSA_ALG_RSA_OAEP(hash_alg) CORRAL_ALG_OVER_HASH(0x07000300, hash_alg)

#define PSA_ALG_IS_RSA_OAEP(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x07000300)

psa_status_t psa_asymmetric_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);
psa_status_t psa_asymmetric_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
