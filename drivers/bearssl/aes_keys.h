/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three key types of BearSSL's bitsliced AES have one layout, so one context is
 * enough for them. The table-based variants of the library are faster but leak the key
 * through the data cache, and are not used.
 */
#ifndef BEARSSL_AES_KEYS_H
#define BEARSSL_AES_KEYS_H

#include "bearssl_contexts.h"

#include <stddef.h>

#include <bearssl_block.h>
#include <corral/driver.h>

#define BEARSSL_AES_BLOCK_SIZE 16

CORRAL_REPEATS(bearssl_driver_aes_keys_t, br_aes_ct_cbcenc_keys);
CORRAL_REPEATS(bearssl_driver_aes_keys_t, br_aes_ct_cbcdec_keys);
CORRAL_REPEATS(bearssl_driver_aes_keys_t, br_aes_ct_ctrcbc_keys);

static inline br_aes_ct_cbcenc_keys *encryption_keys(bearssl_driver_aes_keys_t *keys)
{
    return (br_aes_ct_cbcenc_keys *)keys;
}

/* Wipe what a key of `key_size` bytes has been expanded to: one block more than it has rounds. */
static inline void wipe_keys(bearssl_driver_aes_keys_t *keys, size_t key_size)
{
    const size_t schedule_size = 4 * key_size + 7 * BEARSSL_AES_BLOCK_SIZE;

    corral_wipe(keys, offsetof(br_aes_ct_cbcenc_keys, skey) + schedule_size);
}

static inline br_aes_ct_cbcdec_keys *decryption_keys(bearssl_driver_aes_keys_t *keys)
{
    return (br_aes_ct_cbcdec_keys *)keys;
}

#endif
