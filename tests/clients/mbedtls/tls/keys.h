/* SPDX-License-Identifier: Apache-2.0 */
/* Keys in software, in an element and built-in, and certificates that they sign for themselves. */
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>

#include <mbedtls/pk.h>
#include <mbedtls/ssl.h>
#include <mbedtls/x509_crt.h>

/* Random bytes for Mbed TLS; the context is unused. Returns 0 or an error. */
int tls_draw(void *context, unsigned char *output, size_t size);

/* Defaults of Mbed TLS for one version of the protocol, and a peer that has to show who it is.
 * Returns 0 or an error. */
int tls_configure(mbedtls_ssl_config *config, bool is_server, bool is_datagram,
                  mbedtls_ssl_protocol_version version);

/* A key pair on P-256: "software", "element" (made there) or "builtin". Returns 0 or an error. */
int tls_key_make(const char *place, mbedtls_pk_context *key);

/* The RSA key of the file `own`.der, for TLS 1.3 or TLS 1.2, which sign differently, and its
 * certificates, those of its issuers behind them, from the file `own`. Returns 0 or an error. */
int tls_key_read(const char *own, bool is_tls13, mbedtls_pk_context *key,
                 mbedtls_x509_crt *certificates);

/* A certificate for localhost, signed by its own key, also written to a file as PEM unless `file`
 * is NULL. Returns 0 or an error. */
int tls_certificate_make(mbedtls_pk_context *key, const char *file, mbedtls_x509_crt *certificate);

#endif
