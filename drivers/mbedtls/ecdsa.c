/* SPDX-License-Identifier: Apache-2.0 */
/* ECDSA with a random nonce. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "signer.h"
#include "status.h"

#include <mbedtls/ecdsa.h>

/*
 * ECDSA over a digest of any length, truncated as SEC 1 says; r || s. Both kinds of signing draw
 * numbers that mask the arithmetic; *_deterministic takes its nonce from RFC 6979.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed, or gave no usable nonce
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 *   PSA_ERROR_NOT_SUPPORTED         the library was configured without this curve or hash
 */
psa_status_t mbedtls_driver_sign_hash(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                      uint8_t *signature, size_t signature_size,
                                      size_t *signature_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, key_buffer_size);
    struct mbedtls_driver_signer signer;
    int result;

    (void)alg;
    if (curve == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (signature_size < (size_t)2 * curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    result = mbedtls_driver_signer_begin(&signer, curve, key_buffer);
    if (result == 0) {
        result = mbedtls_ecdsa_sign(&signer.group, &signer.r, &signer.s, &signer.key, hash,
                                    hash_length, mbedtls_driver_draw, NULL);
    }
    return mbedtls_driver_signer_end(&signer, curve, result, signature, signature_length);
}
