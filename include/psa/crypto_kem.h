/* SPDX-License-Identifier: Apache-2.0 */
/* Key encapsulation (section 10.12). */
#ifndef PSA_CRYPTO_KEM_H
#define PSA_CRYPTO_KEM_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The key agreement of ECIES (SEC 1): ciphertext is an ephemeral public key. Not
 * authenticated; derive keys from the secret. */
#define PSA_ALG_ECIES_SEC1 ((psa_algorithm_t)0x0c000100)

/* ML-KEM (FIPS 203): ciphertext of 768, 1088 or 1568 bytes, shared secret of 32. */
#define PSA_ALG_ML_KEM ((psa_algorithm_t)0x0c000200)

psa_status_t psa_encapsulate(psa_key_id_t key, psa_algorithm_t alg,
                             const psa_key_attributes_t *attributes, psa_key_id_t *output_key,
                             uint8_t *ciphertext, size_t ciphertext_size,
                             size_t *ciphertext_length);
psa_status_t psa_decapsulate(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *ciphertext,
                             size_t ciphertext_length, const psa_key_attributes_t *attributes,
                             psa_key_id_t *output_key);

#ifdef __cplusplus
}
#endif

#endif
