/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p256-m ships inside Mbed TLS and includes this header of it, for mbedtls_platform_zeroize()
 * alone, and calls psa_generate_random(). Standing in for that header ties both to the core, so
 * that no configuration of Mbed TLS is needed and no lock of the API is taken from inside an
 * operation.
 */
#ifndef MBEDTLS_PLATFORM_UTIL_H
#define MBEDTLS_PLATFORM_UTIL_H

#include <corral/driver.h>
#include <psa/crypto.h>

#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#define mbedtls_platform_zeroize corral_wipe
#define psa_generate_random corral_random

#endif
