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
#define PSA_ALG_STREAM_CIPHER ((psa_algorithm_t)0x04800100)

/* Counter mode. The whole block is one big-endian counter; a shorter IV is padded with zeros
 * at its end. */
#define PSA_ALG_CTR ((psa_algorithm_t)0x04c01000)

/* CCM* without tag, as Zigbee uses it. 13-byte IV. */
#define PSA_ALG_CCM_STAR_NO_TAG ((psa_algorithm_t)0x04c01300)

/* Cipher feedback of whole blocks. */
#define PSA_ALG_CFB ((psa_algorithm_t)0x04c01100)

/* Output feedback. */
#define PSA_ALG_OFB ((psa_algorithm_t)0x04c01200)

/* XTS (IEEE 1619), with a key of twice the cipher's size. At least one block of data. */
#define PSA_ALG_XTS ((psa_algorithm_t)0x0440ff00)

/* Each block on its own, no IV, whole blocks only. For building other modes. */
#define PSA_ALG_ECB_NO_PADDING ((psa_algorithm_t)0x04404400)

/* Cipher block chaining, whole blocks only. */
#define PSA_ALG_CBC_NO_PADDING ((psa_algorithm_t)0x04404000)

/* Cipher block chaining with PKCS#7 padding (RFC 5652). */
#define PSA_ALG_CBC_PKCS7 ((psa_algorithm_t)0x04404100)

/* Policy: CCM* without tag and CCM with any tag. */
#define PSA_ALG_CCM_STAR_ANY_TAG ((psa_algorithm_t)0x04c09300)

/* 1 if the algorithm xors the data with a key stream. */
#define PSA_ALG_IS_STREAM_CIPHER(alg) CORRAL_ALG_MATCHES(alg, 0x7f800000, 0x04800000)

psa_status_t psa_cipher_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);
psa_status_t psa_cipher_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length);

#define PSA_CIPHER_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_cipher_encrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg);
psa_status_t psa_cipher_decrypt_setup(psa_cipher_operation_t *operation, psa_key_id_t key,
                                      psa_algorithm_t alg);
psa_status_t psa_cipher_generate_iv(psa_cipher_operation_t *operation, uint8_t *iv, size_t iv_size,
                                    size_t *iv_length);
psa_status_t psa_cipher_set_iv(psa_cipher_operation_t *operation, const uint8_t *iv,
                               size_t iv_length);
psa_status_t psa_cipher_update(psa_cipher_operation_t *operation, const uint8_t *input,
                               size_t input_length, uint8_t *output, size_t output_size,
                               size_t *output_length);
psa_status_t psa_cipher_finish(psa_cipher_operation_t *operation, uint8_t *output,
                               size_t output_size, size_t *output_length);
psa_status_t psa_cipher_abort(psa_cipher_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
