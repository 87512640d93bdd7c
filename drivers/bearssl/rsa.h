/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the RSA entry points. The library reads a key's numbers where they are. */
#ifndef BEARSSL_RSA_H
#define BEARSSL_RSA_H

#include <limits.h>

#include <bearssl_hash.h>
#include <bearssl_rsa.h>
#include <corral/config.h>
#include <corral/rsa.h>

/* As in ecc.h: each function twice, for words of 31 bits and of 15. */
#if UINT_MAX == 0xffff || CORRAL_BEARSSL_SHORT_WORDS
#define BEARSSL_RSA_PUBLIC br_rsa_i15_public
#define BEARSSL_RSA_PRIVATE br_rsa_i15_private
#define BEARSSL_RSA_SIGN br_rsa_i15_pkcs1_sign
#define BEARSSL_RSA_VERIFY br_rsa_i15_pkcs1_vrfy
#define BEARSSL_RSA_ENCRYPT br_rsa_i15_oaep_encrypt
#define BEARSSL_RSA_DECRYPT br_rsa_i15_oaep_decrypt
#else
#define BEARSSL_RSA_PUBLIC br_rsa_i31_public
#define BEARSSL_RSA_PRIVATE br_rsa_i31_private
#define BEARSSL_RSA_SIGN br_rsa_i31_pkcs1_sign
#define BEARSSL_RSA_VERIFY br_rsa_i31_pkcs1_vrfy
#define BEARSSL_RSA_ENCRYPT br_rsa_i31_oaep_encrypt
#define BEARSSL_RSA_DECRYPT br_rsa_i31_oaep_decrypt
#endif

/*
 * The numbers of a key of corral_rsa_read() as the library wants them: the public key of any, and
 * the private key of a pair. They point into the key's data.
 */
void bearssl_driver_rsa_public(const struct corral_rsa_key *key, br_rsa_public_key *public_key);
void bearssl_driver_rsa_private(const struct corral_rsa_key *key, br_rsa_private_key *private_key);

#endif
