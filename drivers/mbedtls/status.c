/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include <mbedtls/bignum.h>
#include <mbedtls/cipher.h>
#include <mbedtls/ecp.h>
#include <mbedtls/md.h>

static const struct {
    int16_t result;
    int16_t status;
} statuses[] = {
    {0, PSA_SUCCESS},
    {MBEDTLS_ERR_MPI_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
    {MBEDTLS_ERR_ECP_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
    {MBEDTLS_ERR_MD_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
    {MBEDTLS_ERR_CIPHER_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
    {MBEDTLS_ERR_ECP_RANDOM_FAILED, PSA_ERROR_INSUFFICIENT_ENTROPY},
    {MBEDTLS_ERR_MPI_NOT_ACCEPTABLE, PSA_ERROR_INSUFFICIENT_ENTROPY}, /* no usable draw in 30 */
    {MBEDTLS_ERR_ECP_VERIFY_FAILED, PSA_ERROR_INVALID_SIGNATURE},
    {MBEDTLS_ERR_ECP_INVALID_KEY, PSA_ERROR_INVALID_ARGUMENT},
    {MBEDTLS_ERR_ECP_BAD_INPUT_DATA, PSA_ERROR_INVALID_ARGUMENT},
    {MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE, PSA_ERROR_NOT_SUPPORTED},
};

psa_status_t mbedtls_driver_status(int result)
{
    size_t i;

    for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        if (statuses[i].result == result) {
            return statuses[i].status;
        }
    }
    return PSA_ERROR_CORRUPTION_DETECTED;
}
