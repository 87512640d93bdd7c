/* SPDX-License-Identifier: Apache-2.0 */
/* Key agreement (section 10.11). */
#ifndef PSA_CRYPTO_AGREEMENT_H
#define PSA_CRYPTO_AGREEMENT_H

#include "crypto_derivation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finite-field Diffie-Hellman. Shared secret: the element, big-endian, as long as the prime. */
#define PSA_ALG_FFDH ((psa_algorithm_t)0x09010000)

/* ECDH with cofactor, X25519 or X448. Shared secret: the x coordinate (big-endian), or the
 * output of RFC 7748. */
#define PSA_ALG_ECDH ((psa_algorithm_t)0x09020000)

/* A key agreement whose secret goes straight into a key derivation, and its two parts. */
#define PSA_ALG_KEY_AGREEMENT(ka_alg, kdf_alg) ((psa_algorithm_t)((ka_alg) | (kdf_alg)))
#define PSA_ALG_KEY_AGREEMENT_GET_BASE(alg) ((psa_algorithm_t)CORRAL_ALG_BITS(alg, 0xff7f0000))
#define PSA_ALG_KEY_AGREEMENT_GET_KDF(alg) ((psa_algorithm_t)CORRAL_ALG_BITS(alg, 0xfe80ffff))

/* Kind of agreement, with any key derivation or none: 1 or 0. Standalone: with none. */
#define PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg) CORRAL_ALG_MATCHES(alg, 0x7f00ffff, 0x09000000)
#define PSA_ALG_IS_FFDH(alg) CORRAL_ALG_MATCHES(alg, 0x7f7f0000, 0x09010000)
#define PSA_ALG_IS_ECDH(alg) CORRAL_ALG_MATCHES(alg, 0x7f7f0000, 0x09020000)

/* Former name, deprecated since 1.2. */
#define PSA_ALG_IS_RAW_KEY_AGREEMENT(alg) PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg)

psa_status_t psa_key_agreement(psa_key_id_t private_key, const uint8_t *peer_key,
                               size_t peer_key_length, psa_algorithm_t alg,
                               const psa_key_attributes_t *attributes, psa_key_id_t *key);
psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length);
psa_status_t psa_key_derivation_key_agreement(psa_key_derivation_operation_t *operation,
                                              psa_key_derivation_step_t step,
                                              psa_key_id_t private_key, const uint8_t *peer_key,
                                              size_t peer_key_length);

#ifdef __cplusplus
}
#endif

#endif
