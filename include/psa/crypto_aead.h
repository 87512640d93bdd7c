/* SPDX-License-Identifier: Apache-2.0 */
/* Authenticated encryption with associated data (section 10.6). */
#ifndef PSA_CRYPTO_AEAD_H
#define PSA_CRYPTO_AEAD_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CCM (RFC 3610) over a 128-bit block cipher. Tag of 4, 6, ... 16 bytes, nonce of 7 to 13. */
#define PSA_ALG_CCM CORRAL_CAST(psa_algorithm_t, 0x05500100)

/* GCM (SP 800-38D) over a 128-bit block cipher. Tag of 4, 8 or 12 to 16 bytes, nonce of 1 or
 * more. */
#define PSA_ALG_GCM CORRAL_CAST(psa_algorithm_t, 0x05500200)

/* ChaCha20-Poly1305 (RFC 8439). Tag of 16 bytes, nonce of 12. */
#define PSA_ALG_CHACHA20_POLY1305 CORRAL_CAST(psa_algorithm_t, 0x05100500)

/* XChaCha20-Poly1305. Tag of 16 bytes, nonce of 24. */
#define PSA_ALG_XCHACHA20_POLY1305 CORRAL_CAST(psa_algorithm_t, 0x05100600)

/* Ascon-AEAD128 (SP 800-232). Tag of 4 to 16 bytes, nonce of 16. */
#define PSA_ALG_ASCON_AEAD128 CORRAL_CAST(psa_algorithm_t, 0x05100700)

/* The algorithm without tag length and at-least flag. */
#define CORRAL_ALG_WITHOUT_TAG(alg) CORRAL_ALG_BITS(alg, 0xffc07fff)

/* aead_alg with a tag of tag_length bytes. */
#define PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, tag_length)                                      \
    CORRAL_CAST(psa_algorithm_t,                                                                   \
                CORRAL_ALG_WITHOUT_TAG(aead_alg) |                                                 \
                    CORRAL_ALG_BITS(CORRAL_CAST(psa_algorithm_t, tag_length) << 16, 0x003f0000))

/* aead_alg with its default tag, which has 16 bytes for every algorithm defined. */
#define PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(aead_alg) PSA_ALG_AEAD_WITH_SHORTENED_TAG(aead_alg, 16)

/* Policy: aead_alg with any tag of at least min_tag_length bytes, 1 to 16; a longer one permits
 * nothing. */
#define PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(aead_alg, min_tag_length)                       \
    CORRAL_ALG_AT_LEAST(aead_alg, min_tag_length)

/* 1 if the algorithm is a mode of the key's block cipher. */
#define PSA_ALG_IS_AEAD_ON_BLOCK_CIPHER(alg) CORRAL_ALG_MATCHES(alg, 0x7f400000, 0x05400000)

/* Encrypts a message and authenticates it together with additional data; writes ciphertext and
 * tag, *ciphertext_length bytes. Room needed: PSA_AEAD_ENCRYPT_OUTPUT_SIZE(type, alg,
 * plaintext_length). The nonce must not be used again with this key; usual length:
 * PSA_AEAD_NONCE_LENGTH(type, alg). Section 10.6.2.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_ENCRYPT, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL  ciphertext_size is less than ciphertext and tag
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no AEAD, does not fit the key, or does not take a nonce,
 *                               message or additional data of this length
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key and such lengths
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_aead_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *plaintext,
                              size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                              size_t *ciphertext_length);

/* Checks ciphertext, tag and additional data, and decrypts the message, *plaintext_length bytes.
 * Room needed: PSA_AEAD_DECRYPT_OUTPUT_SIZE(type, alg, ciphertext_length). Nothing of the
 * plaintext is given unless the tag is right. Section 10.6.2.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_DECRYPT, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  the tag does not match: message, additional data, nonce or key is
 *                                another
 *   PSA_ERROR_BUFFER_TOO_SMALL   plaintext_size is less than the plaintext
 *   PSA_ERROR_INVALID_ARGUMENT   alg is no AEAD, does not fit the key, or does not take a nonce,
 *                                message or additional data of this length; or the input is
 *                                shorter than a tag
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build does alg with such a key and such lengths
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_aead_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *ciphertext,
                              size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                              size_t *plaintext_length);

/* Initialiser of an inactive operation. */
#define PSA_AEAD_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts an encryption in parts: psa_aead_set_lengths() (needed for CCM),
 * psa_aead_generate_nonce() or psa_aead_set_nonce(), psa_aead_update_ad() any number of times,
 * psa_aead_update() any number of times, then psa_aead_finish(). On failure the operation is
 * unchanged. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_ENCRYPT, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no AEAD, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_encrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg);

/* Starts a decryption in parts: psa_aead_set_lengths() (needed for CCM), psa_aead_set_nonce(),
 * psa_aead_update_ad() any number of times, psa_aead_update() any number of times, then
 * psa_aead_verify(). Until that succeeds neither plaintext nor additional data may be trusted or
 * acted upon. On failure the operation is unchanged. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_DECRYPT, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no AEAD, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_decrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg);

/* Announces how many bytes of additional data and of message will come, before the nonce. Needed
 * for CCM. Once announced, the lengths are enforced. On failure the operation is in the error
 * state: abort it. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or has its nonce
 *   PSA_ERROR_INVALID_ARGUMENT  a length is more than the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     a length is more than this build takes
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_aead_set_lengths(psa_aead_operation_t *operation, size_t ad_length,
                                  size_t plaintext_length);

/* Gives an encryption a random nonce and writes it, *nonce_length bytes:
 * PSA_AEAD_NONCE_LENGTH(type, alg), or fewer for a long message in CCM. On failure the operation
 * is in the error state: abort it. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE             the operation is not an active encryption, has a nonce, or
 *                                   needs its lengths first
 *   PSA_ERROR_BUFFER_TOO_SMALL      nonce_size is less than the nonce
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  no random data for the nonce
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_generate_nonce(psa_aead_operation_t *operation, uint8_t *nonce,
                                     size_t nonce_size, size_t *nonce_length);

/* Gives an operation its nonce. When encrypting it must not be used again with this key. On
 * failure the operation is in the error state: abort it. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, has a nonce, or needs its lengths
 *                               first
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no nonce of this length
 *   PSA_ERROR_NOT_SUPPORTED     this build takes no nonce of this length
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_set_nonce(psa_aead_operation_t *operation, const uint8_t *nonce,
                                size_t nonce_length);

/* Adds a part of the additional data, before the message. On failure the operation is in the error
 * state: abort it. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, lacks its nonce, or has begun its
 *                               message
 *   PSA_ERROR_INVALID_ARGUMENT  more than announced, or than the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     more than this build takes
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_update_ad(psa_aead_operation_t *operation, const uint8_t *input,
                                size_t input_length);

/* Encrypts or decrypts a part of the message; writes *output_length bytes. All input is taken;
 * less than a block may wait for the next call. Room needed: PSA_AEAD_UPDATE_OUTPUT_SIZE(type,
 * alg, input_length). On failure the operation is in the error state: abort it. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or lacks its nonce
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than this call's output
 *   PSA_ERROR_INVALID_ARGUMENT  less additional data than announced, or more message than
 *                               announced or than the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     more message than this build takes
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_update(psa_aead_operation_t *operation, const uint8_t *input,
                             size_t input_length, uint8_t *output, size_t output_size,
                             size_t *output_length);

/* Ends an encryption: writes what is left of the ciphertext, *ciphertext_length bytes, and the
 * tag, *tag_length bytes. Room needed: PSA_AEAD_FINISH_OUTPUT_SIZE(type, alg) and
 * PSA_AEAD_TAG_LENGTH(type, bits, alg). On failure the operation is in the error state: abort it.
 * Section 10.6.3.
 *   PSA_ERROR_BAD_STATE         the operation is not an active encryption, or lacks its nonce
 *   PSA_ERROR_BUFFER_TOO_SMALL  one of the buffers is too short
 *   PSA_ERROR_INVALID_ARGUMENT  less additional data or message than announced
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_finish(psa_aead_operation_t *operation, uint8_t *ciphertext,
                             size_t ciphertext_size, size_t *ciphertext_length, uint8_t *tag,
                             size_t tag_size, size_t *tag_length);

/* Ends a decryption: compares the tag, in time that does not depend on where it differs, and
 * writes what is left of the plaintext, *plaintext_length bytes. Room needed:
 * PSA_AEAD_VERIFY_OUTPUT_SIZE(type, alg). On failure, a mismatch included, the operation is in the
 * error state: abort it and discard all plaintext. Section 10.6.3.
 *   PSA_ERROR_BAD_STATE          the operation is not an active decryption, or lacks its nonce
 *   PSA_ERROR_INVALID_SIGNATURE  the tag does not match
 *   PSA_ERROR_BUFFER_TOO_SMALL   plaintext_size is less than the rest
 *   PSA_ERROR_INVALID_ARGUMENT   less additional data or message than announced
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_aead_verify(psa_aead_operation_t *operation, uint8_t *plaintext,
                             size_t plaintext_size, size_t *plaintext_length, const uint8_t *tag,
                             size_t tag_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.6.3.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_aead_abort(psa_aead_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
