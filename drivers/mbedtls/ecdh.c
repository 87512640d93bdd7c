/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "ecc.h"
#include "stack.h"
#include "status.h"

#include <mbedtls/ecdh.h>

struct agreement {
    mbedtls_ecp_group group;
    mbedtls_ecp_point peer;
    mbedtls_mpi key;
    mbedtls_mpi secret;
};

/* The library refuses a point off the curve, and a shared secret of zero. */
static int agree(struct agreement *agreement, const struct mbedtls_driver_curve *curve,
                 const uint8_t *key_buffer, const uint8_t *peer_key, size_t peer_key_length)
{
    int result = mbedtls_ecp_group_load(&agreement->group, (mbedtls_ecp_group_id)curve->id);

    if (result == 0) {
        result = mbedtls_driver_read_point(curve, &agreement->group, &agreement->peer, peer_key,
                                           peer_key_length);
    }
    if (result == 0 && curve->family == PSA_ECC_FAMILY_MONTGOMERY) {
        result = mbedtls_mpi_read_binary_le(&agreement->key, key_buffer, curve->size);
    } else if (result == 0) {
        result = mbedtls_mpi_read_binary(&agreement->key, key_buffer, curve->size);
    }
    if (result == 0) {
        result =
            mbedtls_ecdh_compute_shared(&agreement->group, &agreement->secret, &agreement->peer,
                                        &agreement->key, mbedtls_driver_draw, NULL);
    }
    return result;
}

static int write_secret(const struct agreement *agreement, const struct mbedtls_driver_curve *curve,
                        uint8_t *output)
{
    return curve->family == PSA_ECC_FAMILY_MONTGOMERY
               ? mbedtls_mpi_write_binary_le(&agreement->secret, output, curve->size)
               : mbedtls_mpi_write_binary(&agreement->secret, output, curve->size);
}

/*
 * ECDH: the X coordinate of the shared point, or the shared secret of RFC 7748.
 *   PSA_ERROR_INVALID_ARGUMENT      the peer's key is not a point of the curve in PSA's format, or
 *                                   of small order
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed: no mask for the coordinates
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_key_agreement(psa_algorithm_t alg,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          const uint8_t *peer_key, size_t peer_key_length,
                                          uint8_t *output, size_t output_size,
                                          size_t *output_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, key_buffer_size);
    struct agreement agreement;
    int result;

    (void)alg;
    if (curve == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (output_size < curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    mbedtls_ecp_group_init(&agreement.group);
    mbedtls_ecp_point_init(&agreement.peer);
    mbedtls_mpi_init(&agreement.key);
    mbedtls_mpi_init(&agreement.secret);
    result = agree(&agreement, curve, key_buffer, peer_key, peer_key_length);
    if (result == 0) {
        result = write_secret(&agreement, curve, output);
        *output_length = curve->size;
    }
    mbedtls_mpi_free(&agreement.secret);
    mbedtls_mpi_free(&agreement.key);
    mbedtls_ecp_point_free(&agreement.peer);
    mbedtls_ecp_group_free(&agreement.group);
    return mbedtls_driver_curve_done(mbedtls_driver_status(result));
}
