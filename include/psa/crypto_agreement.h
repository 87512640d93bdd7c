/* SPDX-License-Identifier: Apache-2.0 */
/* Key agreement (section 10.11). */
#ifndef PSA_CRYPTO_AGREEMENT_H
#define PSA_CRYPTO_AGREEMENT_H

#include "crypto_derivation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finite-field Diffie-Hellman. Shared secret: the element, big-endian, as long as the prime. */
#define PSA_ALG_FFDH CORRAL_CAST(psa_algorithm_t, 0x09010000)

/* ECDH with cofactor, X25519 or X448. Shared secret: the x coordinate (big-endian), or the
 * output of RFC 7748. */
#define PSA_ALG_ECDH CORRAL_CAST(psa_algorithm_t, 0x09020000)

/* A key agreement whose secret goes straight into a key derivation, and its two parts. */
#define PSA_ALG_KEY_AGREEMENT(ka_alg, kdf_alg) CORRAL_CAST(psa_algorithm_t, (ka_alg) | (kdf_alg))
#define PSA_ALG_KEY_AGREEMENT_GET_BASE(alg)                                                        \
    CORRAL_CAST(psa_algorithm_t, CORRAL_ALG_BITS(alg, 0xff7f0000))
#define PSA_ALG_KEY_AGREEMENT_GET_KDF(alg)                                                         \
    CORRAL_CAST(psa_algorithm_t, CORRAL_ALG_BITS(alg, 0xfe80ffff))

/* Kind of agreement, with any key derivation or none: 1 or 0. Standalone: with none. */
#define PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg) CORRAL_ALG_MATCHES(alg, 0x7f00ffff, 0x09000000)
#define PSA_ALG_IS_FFDH(alg) CORRAL_ALG_MATCHES(alg, 0x7f7f0000, 0x09010000)
#define PSA_ALG_IS_ECDH(alg) CORRAL_ALG_MATCHES(alg, 0x7f7f0000, 0x09020000)

/* Former name, deprecated since 1.2. */
#define PSA_ALG_IS_RAW_KEY_AGREEMENT(alg) PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg)

/* Agrees with the owner of peer_key on a secret and creates a key of it, of type
 * PSA_KEY_TYPE_DERIVE, RAW_DATA, HMAC or PASSWORD. peer_key has the format of the public keys that
 * belong to private_key. The secret is not evenly distributed: derive keys from it, do not encrypt
 * with it. Its size is that of the new key; a size in attributes must agree. *key: identifier of
 * the new key. Section 10.11.2.
 *   PSA_ERROR_INVALID_HANDLE        private_key names no key
 *   PSA_ERROR_NOT_PERMITTED         private_key lacks PSA_KEY_USAGE_DERIVE or excludes alg, or a
 *                                   policy forbids the new key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has the identifier of the new key
 *   PSA_ERROR_INVALID_ARGUMENT      alg is no standalone agreement or does not fit private_key,
 *                                   peer_key is no valid public key for it, or the attributes are
 *                                   invalid
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key, or holds the
 *                                   new key there
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_key_agreement(psa_key_id_t private_key, const uint8_t *peer_key,
                               size_t peer_key_length, psa_algorithm_t alg,
                               const psa_key_attributes_t *attributes, psa_key_id_t *key);

/* Agrees with the owner of peer_key on a secret and writes it, *output_length bytes. Room needed:
 * PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(type, bits). The secret is not evenly distributed: derive keys
 * from it, do not encrypt with it. Section 10.11.2.
 *   PSA_ERROR_INVALID_HANDLE    private_key names no key
 *   PSA_ERROR_NOT_PERMITTED     private_key lacks PSA_KEY_USAGE_DERIVE, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than the secret
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no standalone agreement or does not fit private_key, or
 *                               peer_key is no valid public key for it
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length);

/* Agrees with the owner of peer_key on a secret and gives it to a derivation as input step,
 * usually PSA_KEY_DERIVATION_INPUT_SECRET, without showing it. The operation was set up with
 * PSA_ALG_KEY_AGREEMENT(). On failure the operation is in the error state: abort it. Section
 * 10.11.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or step is out of order or was given
 *                               already
 *   PSA_ERROR_INVALID_HANDLE    private_key names no key
 *   PSA_ERROR_NOT_PERMITTED     private_key lacks PSA_KEY_USAGE_DERIVE, or excludes the algorithm
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no agreement or no such step, does not fit
 *                               private_key, or peer_key is no valid public key for it
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does the agreement with such a key
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_key_derivation_key_agreement(psa_key_derivation_operation_t *operation,
                                              psa_key_derivation_step_t step,
                                              psa_key_id_t private_key, const uint8_t *peer_key,
                                              size_t peer_key_length);

#ifdef __cplusplus
}
#endif

#endif
