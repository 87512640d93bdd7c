/* SPDX-License-Identifier: Apache-2.0 */
/* MBEDTLS_CONFIG_FILE of the simulator, whose images for RSA are encrypted by Mbed TLS. */
#ifndef CORRAL_MBEDTLS_RSA_CONFIG_H
#define CORRAL_MBEDTLS_RSA_CONFIG_H

#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_BIGNUM_C
#define MBEDTLS_MD_C
#define MBEDTLS_OID_C
#define MBEDTLS_PKCS1_V21
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_RSA_C
#define MBEDTLS_SHA256_C

#endif
