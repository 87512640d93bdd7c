/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"

#include <string.h>

#include <corral/driver.h>

/*
 * ECDH: the X coordinate of the shared point.
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is not a point of the curve
 */
psa_status_t bearssl_driver_curve_key_agreement(const struct bearssl_driver_curve *curve,
                                                psa_algorithm_t alg,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                const uint8_t *peer_key, size_t peer_key_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length)
{
    psa_status_t status = PSA_ERROR_INVALID_ARGUMENT;
    uint8_t point[BEARSSL_POINT_MAX_SIZE];

    (void)alg;
    (void)attributes;
    if (output_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != 1 + 2 * curve->size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(point, peer_key, peer_key_length);
    if (curve->methods->mul(point, peer_key_length, key_buffer, key_buffer_size, curve->id) == 1) {
        memcpy(output, point + 1, curve->size);
        *output_length = curve->size;
        status = PSA_SUCCESS;
    }
    corral_wipe(point, sizeof(point));
    bearssl_driver_wipe_stack_curve_agree(curve);
    return status;
}
