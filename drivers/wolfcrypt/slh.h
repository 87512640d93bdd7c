/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of keys and signatures of SLH-DSA. */
#ifndef WOLFCRYPT_SLH_H
#define WOLFCRYPT_SLH_H

#include <psa/crypto_families.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/wc_slhdsa.h>

/* The library's number of a parameter set. */
enum SlhDsaParam wolfcrypt_driver_slh_set(psa_key_type_t type, size_t bits);

/* Open a key of the right length. Returns a result of the library; to be freed in either case. */
int wolfcrypt_driver_slh_open(SlhDsaKey *key, const psa_key_attributes_t *attributes,
                              const uint8_t *data, size_t data_length);

/* Free a key, and overwrite what the library left on the stack. */
void wolfcrypt_driver_slh_close(SlhDsaKey *key);

#endif
