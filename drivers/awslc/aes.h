/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES by the best code for this processor: its AES instructions, its vector permutations, or
 * bitsliced C. None of them looks bytes up in tables.
 */
#ifndef AWSLC_AES_H
#define AWSLC_AES_H

#include "awslc_contexts.h"

#include <corral/driver.h>
#include <openssl/aes.h>

#include <crypto/fipsmodule/aes/internal.h>
#include <crypto/fipsmodule/modes/internal.h>

#define AWSLC_BLOCK_SIZE 16u

CORRAL_REPEATS(awslc_aes_key_t, AES_KEY);

static inline AES_KEY *awslc_aes_of(awslc_aes_key_t *key)
{
    return (AES_KEY *)key;
}

/* The library refuses other sizes than the description, and nothing else. */
static inline void awslc_aes_set_encrypt_key(awslc_aes_key_t *key, const uint8_t *bytes,
                                             size_t size)
{
    (void)AES_set_encrypt_key(bytes, (unsigned)(8 * size), awslc_aes_of(key));
}

static inline void awslc_aes_set_decrypt_key(awslc_aes_key_t *key, const uint8_t *bytes,
                                             size_t size)
{
    (void)AES_set_decrypt_key(bytes, (unsigned)(8 * size), awslc_aes_of(key));
}

/* Whole blocks. `iv` becomes the last block of ciphertext. */
void awslc_aes_cbc(const AES_KEY *key, uint8_t iv[16], const uint8_t *input, size_t length,
                   uint8_t *output, bool is_encrypt);

/* Encrypts whole blocks of a counter, of which the last 32 bits count. */
ctr128_f awslc_aes_ctr32(void);

#endif
