/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "ecc.h"
#include "status.h"

#include <mbedtls/ecdsa.h>

static int verify(const struct mbedtls_driver_curve *curve, const uint8_t *key, size_t key_length,
                  const uint8_t *hash, size_t hash_length, const uint8_t *signature)
{
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    mbedtls_mpi r;
    mbedtls_mpi s;
    int result;

    mbedtls_ecp_group_init(&group);
    mbedtls_ecp_point_init(&point);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    result = mbedtls_ecp_group_load(&group, (mbedtls_ecp_group_id)curve->id);
    if (result == 0) {
        result = mbedtls_driver_read_point(curve, &group, &point, key, key_length);
    }
    if (result == 0) {
        result = mbedtls_mpi_read_binary(&r, signature, curve->size);
    }
    if (result == 0) {
        result = mbedtls_mpi_read_binary(&s, signature + curve->size, curve->size);
    }
    if (result == 0) {
        result = mbedtls_ecdsa_verify(&group, hash, hash_length, &point, &r, &s);
    }
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_ecp_point_free(&point);
    mbedtls_ecp_group_free(&group);
    return result;
}

psa_status_t mbedtls_driver_verify_hash(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *hash,
                                        size_t hash_length, const uint8_t *signature,
                                        size_t signature_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, key_buffer_size);

    (void)alg;
    if (curve == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (signature_length != (size_t)2 * curve->size) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return mbedtls_driver_status(
        verify(curve, key_buffer, key_buffer_size, hash, hash_length, signature));
}
