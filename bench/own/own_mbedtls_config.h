/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of Mbed TLS for the consumers of bench/own, in its small variants. */
#ifndef OWN_MBEDTLS_CONFIG_H
#define OWN_MBEDTLS_CONFIG_H

#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER
#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_CIPHER_MODE_CTR
#define MBEDTLS_HAVE_ASM

#endif
