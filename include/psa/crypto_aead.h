/* SPDX-License-Identifier: Apache-2.0 */
/* Authenticated encryption with associated data (section 10.6). */
#ifndef PSA_CRYPTO_AEAD_H
#define PSA_CRYPTO_AEAD_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CCM (RFC 3610) over a 128-bit block cipher. Tag of 4, 6, ... 16 bytes, nonce of 7 to 13. */
#define PSA_ALG_CCM ((psa_algorithm_t)0x05500100)

/* GCM (SP 800-38D) over a 128-bit block cipher. Tag of 4, 8 or 12 to 16 bytes, nonce of 1 or
 * more. */
#define PSA_ALG_GCM ((psa_algorithm_t)0x05500200)

/* ChaCha20-Poly1305 (RFC 8439). Tag of 16 bytes, nonce of 12. */
#define PSA_ALG_CHACHA20_POLY1305 ((psa_algorithm_t)0x05100500)

/* XChaCha20-Poly1305. Tag of 16 bytes, nonce of 24. */
#define PSA_ALG_XCHACHA20_POLY1305 ((psa_algorithm_t)0x05100600)

/* Ascon-AEAD128 (SP 800-232). Tag of 4 to 16 bytes, nonce of 16. */
#define PSA_ALG_ASCON_AEAD128 ((psa_algorithm_t)0x05100700)

/* The algorithm without tag length and at-least flag. */
#define CORRAL_ALG_WITHOUT_TAG(alg) CORRAL_ALG_BITS(alg, 0xffc07fff)

/* aead_alg with a tag of tag_length bytes. */
#define PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, tag_length)                                      \
    ((psa_algorithm_t)(CORRAL_ALG_WITHOUT_TAG(aead_alg) |                                          \
                       CORRAL_ALG_BITS((psa_algorithm_t)(tag_length) << 16, 0x003f0000)))

/* aead_alg with its default tag, which has 16 bytes for every algorithm defined. */
#define PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(aead_alg) PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, 16)

/* Policy: aead_alg with any tag of at least min_tag_length bytes, 1 or more. */
#define PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(aead_alg, min_tag_length)                       \
    ((psa_algorithm_t)(PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, min_tag_length) |                 \
                       (psa_algorithm_t)0x00008000))

/* 1 if the algorithm is a mode of the key's block cipher. */
#define PSA_ALG_IS_AEAD_ON_BLOCK_CIPHER(alg) CORRAL_ALG_MATCHES(alg, 0x7f400000, 0x05400000)

psa_status_t psa_aead_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *plaintext,
                              size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                              size_t *ciphertext_length);
psa_status_t psa_aead_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *ciphertext,
                              size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                              size_t *plaintext_length);

#define PSA_AEAD_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_aead_encrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg);
psa_status_t psa_aead_decrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg);
psa_status_t psa_aead_set_lengths(psa_aead_operation_t *operation, size_t ad_length,
                                  size_t plaintext_length);
psa_status_t psa_aead_generate_nonce(psa_aead_operation_t *operation, uint8_t *nonce,
                                     size_t nonce_size, size_t *nonce_length);
psa_status_t psa_aead_set_nonce(psa_aead_operation_t *operation, const uint8_t *nonce,
                                size_t nonce_length);
psa_status_t psa_aead_update_ad(psa_aead_operation_t *operation, const uint8_t *input,
                                size_t input_length);
psa_status_t psa_aead_update(psa_aead_operation_t *operation, const uint8_t *input,
                             size_t input_length, uint8_t *output, size_t output_size,
                             size_t *output_length);
psa_status_t psa_aead_finish(psa_aead_operation_t *operation, uint8_t *ciphertext,
                             size_t ciphertext_size, size_t *ciphertext_length, uint8_t *tag,
                             size_t tag_size, size_t *tag_length);
psa_status_t psa_aead_verify(psa_aead_operation_t *operation, uint8_t *plaintext,
                             size_t plaintext_size, size_t *plaintext_length, const uint8_t *tag,
                             size_t tag_length);
psa_status_t psa_aead_abort(psa_aead_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
