/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/awslc/entry_points.h>

#include "ec.h"
#include "stack.h"

#include <openssl/bn.h>
#include <openssl/ec.h>

/*
 * ECDH: the X coordinate of the shared point. ECDH_compute_key() of the library is not used: it
 * reads a null pointer if one allocation fails and the next does not.
 *   PSA_ERROR_CORRUPTION_DETECTED  the private key is not in range
 *   PSA_ERROR_INVALID_ARGUMENT     the peer's key is not a point of the curve in PSA's format
 *   PSA_ERROR_INSUFFICIENT_MEMORY  the heap is exhausted
 */
psa_status_t awslc_curve_key_agreement(const struct awslc_curve *curve, psa_algorithm_t alg,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       const uint8_t *peer_key, size_t peer_key_length,
                                       uint8_t *output, size_t output_size, size_t *output_length)
{
    const EC_GROUP *const group = curve->group();

    (void)alg;
    (void)attributes;
    (void)key_buffer_size;
    if (output_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_ec_begin();
    EC_KEY *const key = awslc_ec_read_private(curve, key_buffer);
    BIGNUM *const x = BN_new();
    EC_POINT *const shared = EC_POINT_new(group);
    EC_POINT *const peer = awslc_ec_read_point(curve, peer_key, peer_key_length);
    const bool is_key = key != NULL;
    const bool is_made =
        is_key && x != NULL && shared != NULL && peer != NULL &&
        EC_POINT_mul(group, shared, NULL, peer, EC_KEY_get0_private_key(key), NULL) == 1 &&
        EC_POINT_get_affine_coordinates_GFp(group, shared, x, NULL, NULL) == 1 &&
        BN_bn2bin_padded(output, curve->size, x) == 1;
    EC_POINT_free(peer);
    EC_POINT_free(shared);
    BN_free(x);
    EC_KEY_free(key);
    awslc_wipe_stack_ec();
    *output_length = curve->size;
    return is_made ? PSA_SUCCESS
                   : awslc_ec_failed(is_key ? PSA_ERROR_INVALID_ARGUMENT
                                            : PSA_ERROR_CORRUPTION_DETECTED);
}
