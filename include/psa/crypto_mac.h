/* SPDX-License-Identifier: Apache-2.0 */
/* Message authentication codes (section 10.4). */
#ifndef PSA_CRYPTO_MAC_H
#define PSA_CRYPTO_MAC_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* HMAC (RFC 2104) over a hash. The full MAC is as long as the hash. Key: PSA_KEY_TYPE_HMAC. */
#define PSA_ALG_HMAC(hash_alg) CORRAL_ALG_OVER_HASH(0x03800000, hash_alg)

/* CBC-MAC over the block cipher of the key. Only safe for messages of one fixed length. */
#define PSA_ALG_CBC_MAC CORRAL_CAST(psa_algorithm_t, 0x03c00100)

/* CMAC (SP 800-38B) over the block cipher of the key. */
#define PSA_ALG_CMAC CORRAL_CAST(psa_algorithm_t, 0x03c00200)

/* Keyed BLAKE2 (RFC 7693) over a BLAKE2 hash. Key: PSA_KEY_TYPE_BLAKE2. */
#define PSA_ALG_BLAKE2_MAC(hash_alg) CORRAL_ALG_OVER_HASH(0x03800300, hash_alg)

/* The algorithm without its length and without the at-least flag. */
#define CORRAL_ALG_WITHOUT_LENGTH(alg) CORRAL_ALG_BITS(alg, 0xffc07fff)
#define CORRAL_ALG_WITH_LENGTH(alg, length)                                                        \
    CORRAL_CAST(psa_algorithm_t,                                                                   \
                CORRAL_ALG_WITHOUT_LENGTH(alg) |                                                   \
                    CORRAL_ALG_BITS(CORRAL_CAST(psa_algorithm_t, length) << 16, 0x003f0000))

/* At least so many bytes; more than 63 have no room and say 0. */
#define CORRAL_ALG_AT_LEAST(alg, length)                                                           \
    CORRAL_CAST(psa_algorithm_t, CORRAL_ALG_WITH_LENGTH(alg, (length) < 64 ? (length) : 0) |       \
                                     CORRAL_CAST(psa_algorithm_t, 0x00008000))

/* mac_alg with its output cut to mac_length bytes. 64 bytes do not fit the six bits of the encoding
 * and give the full length, which for a MAC that long is the same. */
#define PSA_ALG_TRUNCATED_MAC(mac_alg, mac_length) CORRAL_ALG_WITH_LENGTH(mac_alg, mac_length)

/* mac_alg with its output uncut, whatever the length or minimum in mac_alg. */
#define PSA_ALG_FULL_LENGTH_MAC(mac_alg)                                                           \
    CORRAL_CAST(psa_algorithm_t, CORRAL_ALG_WITHOUT_LENGTH(mac_alg))

/* Policy: mac_alg with any length of at least min_mac_length bytes, 1 up to the full length. The
 * encoding has no minimum of 64 bytes: its six bits would say 0, which is no valid wildcard
 * (appendix B.1.4). No MAC is longer than 64 bytes, so for those that are as long that minimum
 * becomes the full-length algorithm. For unreachable lengths it is 0 and permits nothing. */
#define PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(mac_alg, min_mac_length)                                  \
    CORRAL_CAST(psa_algorithm_t,                                                                   \
                (min_mac_length) == 64 && PSA_MAC_LENGTH(PSA_KEY_TYPE_HMAC, 0,                     \
                                                         PSA_ALG_FULL_LENGTH_MAC(mac_alg)) == 64   \
                    ? PSA_ALG_FULL_LENGTH_MAC(mac_alg)                                             \
                    : CORRAL_ALG_AT_LEAST(mac_alg, min_mac_length))

/* Kind of MAC, for any length: 1 or 0. */
#define PSA_ALG_IS_HMAC(alg) CORRAL_ALG_MATCHES(alg, 0x7fc0ff00, 0x03800000)
#define PSA_ALG_IS_BLAKE2_MAC(alg) CORRAL_ALG_MATCHES(alg, 0x7fc0ff00, 0x03800300)
#define PSA_ALG_IS_BLOCK_CIPHER_MAC(alg) CORRAL_ALG_MATCHES(alg, 0x7fc00000, 0x03c00000)

/* Computes the MAC of a message, *mac_length bytes. Room needed: PSA_MAC_LENGTH(type, bits, alg).
 * To check a MAC use psa_mac_verify(). Section 10.4.2.
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_SIGN_MESSAGE, or excludes alg
 *   PSA_ERROR_BUFFER_TOO_SMALL  mac_size is less than the MAC
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no MAC algorithm, does not fit the key, or does not take a
 *                               message this long
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_mac_compute(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                             size_t input_length, uint8_t *mac, size_t mac_size,
                             size_t *mac_length);

/* Computes the MAC of a message and compares it with the expected one, in time that does not
 * depend on where they differ. Section 10.4.2.
 *   PSA_ERROR_INVALID_HANDLE     key names no key
 *   PSA_ERROR_NOT_PERMITTED      the key lacks PSA_KEY_USAGE_VERIFY_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_SIGNATURE  the MACs differ, in value or in length
 *   PSA_ERROR_INVALID_ARGUMENT   alg is no MAC algorithm, does not fit the key, or does not take a
 *                                message this long
 *   PSA_ERROR_NOT_SUPPORTED      nothing in this build computes alg with such a key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_mac_verify(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                            size_t input_length, const uint8_t *mac, size_t mac_length);

/* Initialiser of an inactive operation. */
#define PSA_MAC_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts the computation of a MAC in parts: psa_mac_update() any number of times, then
 * psa_mac_sign_finish(). On failure the operation is unchanged. Section 10.4.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_SIGN_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no MAC algorithm, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_mac_sign_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                psa_algorithm_t alg);

/* Starts the verification of a MAC in parts: psa_mac_update() any number of times, then
 * psa_mac_verify_finish(). On failure the operation is unchanged. Section 10.4.3.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_HANDLE    key names no key
 *   PSA_ERROR_NOT_PERMITTED     the key lacks PSA_KEY_USAGE_VERIFY_MESSAGE, or excludes alg
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no MAC algorithm, or does not fit the key
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg with such a key in parts
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_mac_verify_setup(psa_mac_operation_t *operation, psa_key_id_t key,
                                  psa_algorithm_t alg);

/* Adds a part of the message. On failure, which includes that the key was destroyed, the operation
 * is in the error state: abort it. Section 10.4.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active
 *   PSA_ERROR_INVALID_ARGUMENT  the message grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the message grows beyond what this build takes
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_mac_update(psa_mac_operation_t *operation, const uint8_t *input,
                            size_t input_length);

/* Gives the MAC of the parts, *mac_length bytes, and ends the operation. Room needed:
 * PSA_MAC_LENGTH(type, bits, alg). On failure, too small a buffer included, the operation is in
 * the error state: abort it. Section 10.4.3.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or verifies
 *   PSA_ERROR_BUFFER_TOO_SMALL  mac_size is less than the MAC
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_mac_sign_finish(psa_mac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length);

/* Compares the MAC of the parts with the expected one, in time that does not depend on where they
 * differ, and ends the operation. On failure, a mismatch included, the operation is in the error
 * state: abort it. Section 10.4.3.
 *   PSA_ERROR_BAD_STATE          the operation is not active, or computes
 *   PSA_ERROR_INVALID_SIGNATURE  the MACs differ, in value or in length
 *   and the statuses of device and storage (psa/crypto.h) */
psa_status_t psa_mac_verify_finish(psa_mac_operation_t *operation, const uint8_t *mac,
                                   size_t mac_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.4.3.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_mac_abort(psa_mac_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
