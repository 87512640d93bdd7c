/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs unauthenticated ciphers. Call only with a type of key and an algorithm for which
 * corral_cipher_block_length() is not 0. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.ciphers of the rows of family cipher in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_CIPHER_H
#define CORRAL_DISPATCH_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/cipher.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_cipher_setup(...) CORRAL_UNSERVED_6(__VA_ARGS__)
#define corral_dispatch_cipher_set_iv(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_cipher_update(...) CORRAL_UNSERVED_6(__VA_ARGS__)
#define corral_dispatch_cipher_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)
#define corral_dispatch_cipher_encrypt(...) CORRAL_UNSERVED_11(__VA_ARGS__)
#define corral_dispatch_cipher_decrypt(...) CORRAL_UNSERVED_11(__VA_ARGS__)

/* Bytes of the blocks that the driver is fed with, 1 for any length; 0: not served. */
static inline size_t corral_cipher_block_length(psa_key_type_t type, psa_algorithm_t alg)
{
    (void)type;
    (void)alg;
    return 0;
}

/* Bytes of the IV, for what corral_cipher_block_length() says is served. */
static inline size_t corral_cipher_iv_length(psa_key_type_t type, psa_algorithm_t alg)
{
    (void)type;
    (void)alg;
    return 0;
}

#endif
