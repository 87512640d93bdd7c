/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates that keys sign for themselves, and the check of others. */
#ifndef KEYS_H
#define KEYS_H

#include <psa/crypto.h>

#include <wolfssl/ssl.h>

/* A certificate for localhost, signed by its own key, written to a file as PEM. Returns 0 or an
 * error. */
int tls_certificate_make(psa_key_id_t key, const char *file);

/* Their callback for signatures of the peer, but for one thing: a half of a signature that begins
 * with zero bytes is brought to its length. Theirs hands it on as it stands in DER, so that one
 * signature of 128 is refused. */
int tls_verify(WOLFSSL *ssl, const unsigned char *signature, unsigned signature_length,
               const unsigned char *hash, unsigned hash_length, const unsigned char *key,
               unsigned key_length, int *is_right, void *context);

#endif
