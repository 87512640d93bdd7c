/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MBEDTLS_DRIVER_STATUS_H
#define MBEDTLS_DRIVER_STATUS_H

#include <psa/crypto.h>

/*
 * The PSA status of a result of Mbed TLS. 0 is success; a result that no call of this driver should
 * give is PSA_ERROR_CORRUPTION_DETECTED.
 */
psa_status_t mbedtls_driver_status(int result);

/* The same for the calls that fail only if they are misused: hashes and AES take nothing from the
 * heap and get arguments that were checked. */
static inline psa_status_t infallible_status(int result)
{
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED;
}

#endif
