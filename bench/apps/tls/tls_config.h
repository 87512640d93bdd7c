/* SPDX-License-Identifier: Apache-2.0 */
/* Mbed TLS for one handshake of TLS 1.3. */
#ifndef TLS_CONFIG_H
#define TLS_CONFIG_H

#include "../steps/session_config.h"

#define MBEDTLS_SSL_PROTO_TLS1_3
#define MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_EPHEMERAL_ENABLED
#define MBEDTLS_SSL_IN_CONTENT_LEN 4096
#define MBEDTLS_SSL_OUT_CONTENT_LEN 4096

#endif
