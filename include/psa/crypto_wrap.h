/* SPDX-License-Identifier: Apache-2.0 */
/* Key wrapping (section 10.7). */
#ifndef PSA_CRYPTO_WRAP_H
#define PSA_CRYPTO_WRAP_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* KW (SP 800-38F, RFC 3394) over a 128-bit block cipher: keys of 16, 24, 32, ... bytes. */
#define PSA_ALG_KW ((psa_algorithm_t)0x0b400100)

/* KWP (SP 800-38F, RFC 5649) over a 128-bit block cipher: keys of any length. */
#define PSA_ALG_KWP ((psa_algorithm_t)0x0bc00200)

psa_status_t psa_unwrap_key(const psa_key_attributes_t *attributes, psa_key_id_t wrapping_key,
                            psa_algorithm_t alg, const uint8_t *data, size_t data_length,
                            psa_key_id_t *key);
psa_status_t psa_wrap_key(psa_key_id_t wrapping_key, psa_algorithm_t alg, psa_key_id_t key,
                          uint8_t *data, size_t data_size, size_t *data_length);

#ifdef __cplusplus
}
#endif

#endif
