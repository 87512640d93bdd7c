/* SPDX-License-Identifier: Apache-2.0 */
/* Key wrapping (section 10.7). */
#ifndef PSA_CRYPTO_WRAP_H
#define PSA_CRYPTO_WRAP_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* KW (SP 800-38F, RFC 3394) over a 128-bit block cipher: keys of 16, 24, 32, ... bytes. */
#define PSA_ALG_KW CORRAL_CAST(psa_algorithm_t, 0x0b400100)

/* KWP (SP 800-38F, RFC 5649) over a 128-bit block cipher: keys of any length. */
#define PSA_ALG_KWP CORRAL_CAST(psa_algorithm_t, 0x0bc00200)

/* Creates a key from data that psa_wrap_key() or an equal wrapped: decrypts it with wrapping_key,
 * which permits PSA_KEY_USAGE_UNWRAP, then does as psa_import_key() does with attributes. The
 * plain key never leaves the library. *key: identifier of the new key. Section 10.7.2.
 *   PSA_ERROR_INVALID_HANDLE        wrapping_key names no key
 *   PSA_ERROR_NOT_PERMITTED         wrapping_key lacks PSA_KEY_USAGE_UNWRAP or excludes alg, or a
 *                                   policy forbids the new key
 *   PSA_ERROR_INVALID_SIGNATURE     the wrapped data is not authentic
 *   PSA_ERROR_ALREADY_EXISTS        a persistent key has the identifier of the new key
 *   PSA_ERROR_INVALID_ARGUMENT      alg wraps no keys, or does not fit wrapping_key; or the new
 *                                   key's attributes or data are invalid
 *   PSA_ERROR_NOT_SUPPORTED         nothing in this build does alg with wrapping_key, or holds
 *                                   such a key in its location
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room for a persistent key
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_unwrap_key(const psa_key_attributes_t *attributes, psa_key_id_t wrapping_key,
                            psa_algorithm_t alg, const uint8_t *data, size_t data_length,
                            psa_key_id_t *key);

/* Writes a key, which permits PSA_KEY_USAGE_EXPORT, encrypted with wrapping_key, which permits
 * PSA_KEY_USAGE_WRAP; *data_length bytes. The wrapped form holds only the data of the
 * key: keep its attributes elsewhere. Enough room: PSA_WRAP_KEY_OUTPUT_SIZE(type of
 * wrapping_key, alg, type, bits). Section 10.7.2.
 *   PSA_ERROR_INVALID_HANDLE    wrapping_key or key names no key
 *   PSA_ERROR_NOT_PERMITTED     wrapping_key lacks PSA_KEY_USAGE_WRAP or excludes alg, or key
 *                               lacks PSA_KEY_USAGE_EXPORT
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the wrapped key needs
 *   PSA_ERROR_INVALID_ARGUMENT  alg wraps no keys, does not fit wrapping_key, or does not take
 *                               keys of this length
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build does alg with wrapping_key, or the key's
 *                               location lets it not out
 *   and the statuses of library, device and storage (psa/crypto.h) */
psa_status_t psa_wrap_key(psa_key_id_t wrapping_key, psa_algorithm_t alg, psa_key_id_t key,
                          uint8_t *data, size_t data_size, size_t *data_length);

#ifdef __cplusplus
}
#endif

#endif
