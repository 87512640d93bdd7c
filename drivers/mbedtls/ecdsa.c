/* SPDX-License-Identifier: Apache-2.0 */
/* ECDSA with a random nonce. */
#include "mbedtls_driver.h"
#include "signer.h"
#include "status.h"

#include <mbedtls/ecdsa.h>

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
