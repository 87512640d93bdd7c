/* SPDX-License-Identifier: Apache-2.0 */
/* Unauthenticated ciphers (section 10.5). They do not notice when a message was changed: prefer an
 * AEAD.
 */
#ifndef PSA_CRYPTO_CIPHER_H
#define PSA_CRYPTO_CIPHER_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stream cipher of the key type: ChaCha20 (12-byte IV), XChaCha20 (24-byte IV) or ARC4
 * (none). */
#define PSA_ALG_STREAM_CIPHER CORRAL_CAST(psa_algorithm_t, 0x04800100)

/* Counter mode. The whole block is one big-endian counter; a shorter IV is padded with zeros
 * at its end. */
#define PSA_ALG_CTR CORRAL_CAST(psa_algorithm_t, 0x04c01000)

/* CCM* without tag, as Zigbee uses it. 13-byte IV. */
#define PSA_ALG_CCM_STAR_NO_TAG CORRAL_CAST(psa_algorithm_t, 0x04c01300)

/* Cipher feedback of whole blocks. */
#define PSA_ALG_CFB CORRAL_CAST(psa_algorithm_t, 0x04c01100)

/* Output feedback. */
#define PSA_ALG_OFB CORRAL_CAST(psa_algorithm_t, 0x04c01200)

/* XTS (IEEE 1619), with a key of twice the cipher's size. At least one block of data. */
#define PSA_ALG_XTS CORRAL_CAST(psa_algorithm_t, 0x0440ff00)

/* Each block on its own, no IV, whole blocks only. For building other modes. */
#define PSA_ALG_ECB_NO_PADDING CORRAL_CAST(psa_algorithm_t, 0x04404400)

/* Cipher block chaining, whole blocks only. */
#define PSA_ALG_CBC_NO_PADDING CORRAL_CAST(psa_algorithm_t, 0x04404000)

/* Cipher block chaining with PKCS#7 padding (RFC 5652). */
#define PSA_ALG_CBC_PKCS7 CORRAL_CAST(psa_algorithm_t, 0x04404100)

/* Policy: CCM* without tag and CCM with any tag. */
#define PSA_ALG_CCM_STAR_ANY_TAG CORRAL_CAST(psa_algorithm_t, 0x04c09300)

/* 1 if the algorithm xors the data with a key stream. */
#define PSA_ALG_IS_STREAM_CIPHER(alg) CORRAL_ALG_MATCHES(alg, 0x7f800000, 0x04800000)

/* Encrypts a message with a fresh random IV and writes IV and ciphertext, *output_length bytes.
 * Room needed: PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(type, alg, input_length). The IV has
 * PSA_CIPHER_IV_LENGTH(type, alg) bytes; to choose it, encrypt in parts. Section 10.5.2.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_ENCRYPT, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than IV and ciphertext
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no cipher, does not fit the key, or does not take this
 *                               length: without padding only whole blocks
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_cipher_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);

/* Decrypts IV and ciphertext as psa_cipher_encrypt() writes them; *output_length bytes. Room
 * needed: PSA_CIPHER_DECRYPT_OUTPUT_SIZE(type, alg, input_length). Nothing tells whether the
 * message is genuine. Section 10.5.2.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_DECRYPT, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than the plaintext
 *   PSA_ERROR_INVALID_PADDING   the last block is not padded as alg demands; do not let an
 *                               attacker know
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no cipher, does not fit the key, or the input lacks its IV
 *                               or is not whole blocks
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_cipher_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);

/* Initialiser of an inactive operation. */
#define PSA_CIPHER_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts an encryption in parts: psa_cipher_generate_iv() or psa_cipher_set_iv() if the algorithm
 * has an IV, psa_cipher_update() any number of times, then psa_cipher_finish(). On failure the
 * operation is unchanged. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_ENCRYPT, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no cipher, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_encrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg);

/* Starts a decryption in parts: psa_cipher_set_iv() if the algorithm has an IV,
 * psa_cipher_update() any number of times, then psa_cipher_finish(). On failure the operation is
 * unchanged. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_DECRYPT, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no cipher, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_decrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg);

/* Gives an encryption a random IV of the default length PSA_CIPHER_IV_LENGTH(type, alg) and writes
 * it, *iv_length bytes. On failure the operation is in the error state: abort it. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE             the operation is not an active encryption, has an IV, or its
 *                                   algorithm uses none
 *   PSA_ERROR_BUFFER_TOO_SMALL      iv_size is less than the IV
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the IV
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_generate_iv(psa_cipher_operation_t *operation, uint8_t *iv, size_t iv_size,
                                    size_t *iv_length);

/* Gives an operation its IV, nonce or first counter. Lengths: the default, and for CTR also 1 byte
 * up to a block, for ChaCha20 also 8 or 16 bytes if the driver can (section 10.5.1). On failure
 * the operation is in the error state: abort it. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, has an IV, or its algorithm uses none
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no IV of this length
 *   PSA_ERROR_NOT_SUPPORTED     this build takes no IV of this length
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_set_iv(psa_cipher_operation_t *operation, const uint8_t *iv,
                               size_t iv_length);

/* Encrypts or decrypts a part of the message; writes *output_length bytes. All input is taken;
 * less than a block, or when decrypting with padding a whole one, may wait for the next call. Room
 * needed: PSA_CIPHER_UPDATE_OUTPUT_SIZE(type, alg, input_length). On failure the operation is in
 * the error state: abort it. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or lacks its IV
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than this call's output
 *   PSA_ERROR_INVALID_ARGUMENT  the message grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the message grows beyond what this build takes
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_update(psa_cipher_operation_t *operation, const uint8_t *input,
                               size_t input_length, uint8_t *output, size_t output_size,
                               size_t *output_length);

/* Writes what is left of the output, *output_length bytes, and ends the operation. Room needed:
 * PSA_CIPHER_FINISH_OUTPUT_SIZE(type, alg). On failure the operation is in the error state: abort
 * it. Section 10.5.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or lacks its IV
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than the rest
 *   PSA_ERROR_INVALID_PADDING   the last block is not padded as the algorithm demands; do not let
 *                               an attacker know
 *   PSA_ERROR_INVALID_ARGUMENT  the message has a length that the algorithm does not take, such as
 *                               part of a block
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_cipher_finish(psa_cipher_operation_t *operation, uint8_t *output,
                               size_t output_size, size_t *output_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.5.3.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_cipher_abort(psa_cipher_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
