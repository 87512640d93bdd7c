/* SPDX-License-Identifier: Apache-2.0 */
#include "ecc.h"
#include "stack.h"

#include <string.h>

/* Of the largest curve of the library. */
#define SIGNATURE_MAX_SIZE 64U

psa_status_t micro_ecc_driver_curve_sign(uECC_Curve curve, const uint8_t *key_buffer,
                                         const uint8_t *hash, size_t hash_length,
                                         uint8_t *signature, size_t signature_size,
                                         size_t *signature_length)
{
    const size_t length = (size_t)uECC_curve_public_key_size(curve);
    uint8_t result[SIGNATURE_MAX_SIZE]; /* the library writes r before it has read the hash */
    int is_signed;

    if (signature_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    is_signed = uECC_sign(key_buffer, hash, (unsigned)hash_length, result, curve);
    micro_ecc_driver_wipe_stack();
    if (is_signed != 1) {
        /* With a valid key, the only reason is that no usable random number came. */
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    memcpy(signature, result, length);
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
