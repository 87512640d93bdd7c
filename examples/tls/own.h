/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of client and server: the key that the element came with, and a certificate of it. */
#ifndef OWN_H
#define OWN_H

#include <mbedtls/ssl.h>

/* A configuration for TLS 1.3 with that key and a certificate that it signs for itself, which is
 * also written to `own` as PEM; the peer's must be one that the file `trusted` vouches for. Its
 * pointers are valid as long as the program runs. Returns 0, or an error of Mbed TLS. */
int own_configure(mbedtls_ssl_config *config, int endpoint, const char *own, const char *trusted);

#endif
