/* SPDX-License-Identifier: Apache-2.0 */
/* Asymmetric encryption (section 10.10). */
#ifndef PSA_CRYPTO_ASYMMETRIC_H
#define PSA_CRYPTO_ASYMMETRIC_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* RSA encryption of PKCS#1 v1.5 (RFC 8017). Its padding is a known oracle: prefer OAEP. */
#define PSA_ALG_RSA_PKCS1V15_CRYPT CORRAL_CAST(psa_algorithm_t, 0x07000200)

/* RSA-OAEP (RFC 8017). The hash is used for the label and for the mask; the salt is the label. */
#define PSA_ALG_RSA_OAEP(hash_alg) CORRAL_ALG_OVER_HASH(0x07000300, hash_alg)

#define PSA_ALG_IS_RSA_OAEP(alg) CORRAL_ALG_MATCHES(alg, 0xffffff00, 0x07000300)

/* Encrypts a short message with a public key; writes *output_length bytes. Room needed:
 * PSA_ASYMMETRIC_ENCRYPT_OUTPUT_SIZE(type, bits, alg). salt is the label of OAEP; PKCS#1 v1.5
 * takes none. Section 10.10.2.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_ENCRYPT, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      output_size is less than the ciphertext
 *   PSA_ERROR_INVALID_ARGUMENT      alg is no asymmetric encryption, does not fit the key, or does
 *                                   not take a message or salt of this length
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the padding
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_asymmetric_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);

/* Decrypts a message with a key pair; writes *output_length bytes. Room needed:
 * PSA_ASYMMETRIC_DECRYPT_OUTPUT_SIZE(type, bits, alg). salt is the label of OAEP; PKCS#1 v1.5
 * takes none. Section 10.10.2.
 *   PSA_ERROR_INVALID_HANDLE        key names no key
 *   PSA_ERROR_NOT_PERMITTED         the key lacks PSA_KEY_USAGE_DECRYPT, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL      output_size is less than the plaintext
 *   PSA_ERROR_INVALID_PADDING       the padding is wrong; an attacker that learns this, even by the
 *                                   time taken, can decrypt messages
 *   PSA_ERROR_INVALID_ARGUMENT      alg is no asymmetric encryption, does not fit the key, or does
 *                                   not take a ciphertext or salt of this length
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with such a key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data to blind the computation
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_asymmetric_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                    size_t input_length, const uint8_t *salt, size_t salt_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
