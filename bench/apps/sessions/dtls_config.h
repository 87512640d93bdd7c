/* SPDX-License-Identifier: Apache-2.0 */
/* Mbed TLS for DTLS 1.2. */
#ifndef DTLS_CONFIG_H
#define DTLS_CONFIG_H

#include "../steps/session_config.h"

#define MBEDTLS_SSL_COOKIE_C
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_SSL_PROTO_DTLS
#define MBEDTLS_SSL_DTLS_ANTI_REPLAY
#define MBEDTLS_SSL_DTLS_HELLO_VERIFY
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_KEY_EXCHANGE_PSK_ENABLED
#define MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA_ENABLED
/* config_adjust_ssl.h derives it only from its own primitives. */
#define MBEDTLS_SSL_TLS1_2_SOME_ECC
#define MBEDTLS_SSL_IN_CONTENT_LEN 2048
#define MBEDTLS_SSL_OUT_CONTENT_LEN 2048

#endif
