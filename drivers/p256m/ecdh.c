/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/p256m/entry_points.h>

#include "p256m_glue.h"

#include <p256-m.h>

/*
 * ECDH: the X coordinate of the shared point, 32 bytes.
 *   PSA_ERROR_INVALID_ARGUMENT     the peer's key is not a point of the curve in PSA's format
 *   PSA_ERROR_CORRUPTION_DETECTED  the stored private key is out of range
 */
psa_status_t p256m_driver_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        const uint8_t *peer_key, size_t peer_key_length,
                                        uint8_t *output, size_t output_size, size_t *output_length)
{
    int result;

    (void)alg;
    (void)attributes;
    (void)key_buffer_size;
    if (output_size < P256M_SCALAR_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!p256m_has_point_format(peer_key, peer_key_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    result = p256_ecdh_shared_secret(output, key_buffer, peer_key + 1);
    p256m_driver_wipe_stack();
    if (result == P256_INVALID_PUBKEY) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (result != P256_SUCCESS) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    *output_length = P256M_SCALAR_SIZE;
    return PSA_SUCCESS;
}
