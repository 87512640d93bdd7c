/* SPDX-License-Identifier: Apache-2.0 */
#include "ecc.h"

psa_status_t micro_ecc_driver_curve_sign(uECC_Curve curve, const uint8_t *key_buffer,
                                         const uint8_t *hash, size_t hash_length,
                                         uint8_t *signature, size_t signature_size,
                                         size_t *signature_length)
{
    const size_t length = (size_t)uECC_curve_public_key_size(curve);

    if (signature_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* With a valid key, the only reason to fail is that no usable random number came. */
    if (uECC_sign(key_buffer, hash, (unsigned)hash_length, signature, curve) != 1) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *signature_length = length;
    return PSA_SUCCESS;
}

psa_status_t micro_ecc_driver_curve_verify(uECC_Curve curve, const uint8_t *key_buffer,
                                           const uint8_t *hash, size_t hash_length,
                                           const uint8_t *signature, size_t signature_length)
{
    if (signature_length != (size_t)uECC_curve_public_key_size(curve)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return uECC_verify(key_buffer + 1, hash, (unsigned)hash_length, signature, curve) == 1
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_SIGNATURE;
}
