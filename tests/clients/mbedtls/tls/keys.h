/* SPDX-License-Identifier: Apache-2.0 */
/* Keys in software, in an element and built-in, and certificates that they sign for themselves. */
#ifndef KEYS_H
#define KEYS_H

#include <mbedtls/pk.h>
#include <mbedtls/x509_crt.h>

/* A key pair on P-256: "software", "element" (made there) or "builtin". Returns 0 or an error. */
int tls_key_make(const char *place, mbedtls_pk_context *key);

/* A certificate for localhost, signed by its own key, also written to a file as PEM. Returns 0 or
 * an error. */
int tls_certificate_make(mbedtls_pk_context *key, const char *file, mbedtls_x509_crt *certificate);

#endif
