/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/micro_ecc/entry_points.h>

#include "curve.h"
#include "stack.h"

#include <corral/driver.h>

#define UNTOUCHED 0xff

/*
 * ECDH: the X coordinate of the shared point.
 *   PSA_ERROR_INVALID_ARGUMENT      the peer's key is not a point of the curve in PSA's format
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no mask for the coordinates
 *   PSA_ERROR_NOT_SUPPORTED         the library cannot compute with this pair of keys (README)
 */
psa_status_t micro_ecc_driver_key_agreement(psa_algorithm_t alg,
                                            const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            const uint8_t *peer_key, size_t peer_key_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length)
{
    const uECC_Curve curve = micro_ecc_curve_of(attributes);
    const size_t size = key_buffer_size;
    psa_status_t status = PSA_SUCCESS;
    uint8_t secret[MICRO_ECC_SCALAR_MAX_SIZE]; /* the output may overlap the peer's key */
    uint8_t point[2 * MICRO_ECC_SCALAR_MAX_SIZE];

    (void)alg;
    if (output_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != 1 + 2 * size || peer_key[0] != 0x04) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    /*
     * uECC_shared_secret() takes any numbers for a point, and would leak the key bit by bit.
     * The copy is checked: the peer's key may change meanwhile.
     */
    corral_copy(point, peer_key + 1, 2 * size);
    if (uECC_valid_public_key(point, curve) != 1) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    /*
     * The library fails for want of random numbers, before it writes anything, or because its
     * formulas do not cover this pair of keys, with a secret of zeros.
     */
    secret[0] = UNTOUCHED;
    if (uECC_shared_secret(point, key_buffer, secret, curve) == 1) {
        corral_copy(output, secret, size);
        *output_length = size;
    } else if (secret[0] == UNTOUCHED) {
        status = PSA_ERROR_INSUFFICIENT_ENTROPY;
    } else {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    corral_wipe(secret, sizeof(secret));
    micro_ecc_driver_wipe_stack_agree();
    return status;
}
