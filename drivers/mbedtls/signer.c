/* SPDX-License-Identifier: Apache-2.0 */
#include "signer.h"
#include "stack.h"
#include "status.h"

int mbedtls_driver_signer_begin(struct mbedtls_driver_signer *signer,
                                const struct mbedtls_driver_curve *curve, const uint8_t *key_buffer)
{
    int result;

    mbedtls_ecp_group_init(&signer->group);
    mbedtls_mpi_init(&signer->key);
    mbedtls_mpi_init(&signer->r);
    mbedtls_mpi_init(&signer->s);
    result = mbedtls_ecp_group_load(&signer->group, (mbedtls_ecp_group_id)curve->id);
    if (result == 0) {
        result = mbedtls_mpi_read_binary(&signer->key, key_buffer, curve->size);
    }
    return result;
}

psa_status_t mbedtls_driver_signer_end(struct mbedtls_driver_signer *signer,
                                       const struct mbedtls_driver_curve *curve, int result,
                                       uint8_t *signature, size_t *signature_length)
{
    if (result == 0) {
        result = mbedtls_mpi_write_binary(&signer->r, signature, curve->size);
    }
    if (result == 0) {
        result = mbedtls_mpi_write_binary(&signer->s, signature + curve->size, curve->size);
    }
    mbedtls_mpi_free(&signer->s);
    mbedtls_mpi_free(&signer->r);
    mbedtls_mpi_free(&signer->key);
    mbedtls_ecp_group_free(&signer->group);
    if (result == 0) {
        *signature_length = (size_t)2 * curve->size;
    }
    return mbedtls_driver_curve_done(mbedtls_driver_status(result));
}
