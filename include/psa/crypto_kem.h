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
#define PSA_ALG_ECIES_SEC1 CORRAL_CAST(psa_algorithm_t, 0x0c000100)

/* ML-KEM (FIPS 203): ciphertext of 768, 1088 or 1568 bytes, shared secret of 32. */
#define PSA_ALG_ML_KEM CORRAL_CAST(psa_algorithm_t, 0x0c000200)

/* Makes a fresh secret for the owner of a public key: creates a key of it, with attributes, and
 * writes the ciphertext from which the owner gets the same, *ciphertext_length bytes. Room needed:
 * PSA_ENCAPSULATE_CIPHERTEXT_SIZE(type, bits, alg). The secret has its own size; one in attributes
 * must agree. *output_key: identifier of the new key. Section 10.12.3.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         key lacks PSA_KEY_USAGE_ENCRYPT or excludes alg, or a policy
 *                                   forbids the new key
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has the identifier of the new key
 *   PSA_ERROR_BUFFER_TOO_SMALL      ciphertext_size is less than the ciphertext
 *   PSA_ERROR_INVALID_ARGUMENT      alg is no encapsulation or does not fit key, or the attributes
 *                                   are invalid
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key, or holds the
 *                                   new key there
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the secret
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_encapsulate(psa_key_id_t key, psa_algorithm_t alg,
                             const psa_key_attributes_t *attributes, psa_key_id_t *output_key,
                             uint8_t *ciphertext, size_t ciphertext_size,
                             size_t *ciphertext_length);

/* Gets the secret out of a ciphertext with a key pair and creates a key of it, with attributes.
 * Success does not prove that the sender has the same secret: a forged ciphertext may give a
 * pseudorandom key instead of an error. *output_key: identifier of the new key. Section 10.12.3.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         key lacks PSA_KEY_USAGE_DECRYPT or excludes alg, or a policy
 *                                   forbids the new key
 *   PSA_ERROR_INVALID_SIGNATURE     the ciphertext is not authentic, for an algorithm that says so
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has the identifier of the new key
 *   PSA_ERROR_INVALID_ARGUMENT      alg is no encapsulation or does not fit key, the ciphertext
 *                                   cannot be one, or the attributes are invalid
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key, or holds the
 *                                   new key there
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data to blind the computation
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_decapsulate(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *ciphertext,
                             size_t ciphertext_length, const psa_key_attributes_t *attributes,
                             psa_key_id_t *output_key);

#ifdef __cplusplus
}
#endif

#endif
