/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MBEDTLS_DRIVER_AES_KEY_H
#define MBEDTLS_DRIVER_AES_KEY_H

#include "mbedtls_contexts.h"

#include <stddef.h>

#include <corral/driver.h>
#include <mbedtls/aes.h>

#include "stack.h"
#include "status.h"

#define MBEDTLS_DRIVER_AES_BLOCK_SIZE 16

_Static_assert(sizeof(mbedtls_driver_aes_key_t) >= 256, "wipe_aes() rounds up");
CORRAL_REPEATS(mbedtls_driver_aes_key_t, mbedtls_aes_context);

static inline mbedtls_aes_context *aes_of(mbedtls_driver_aes_key_t *key)
{
    return (mbedtls_aes_context *)key;
}

/* Compiled for a processor with instructions for AES, the library begins at a multiple of 16. */
#define ALIGNING (UINTPTR_MAX > 0xffffffff ? MBEDTLS_DRIVER_AES_BLOCK_SIZE - sizeof(uint32_t) : 0)

/*
 * Wipe what a key of `key_size` bytes has been expanded to, in the steps in which corral_wipe() is
 * fastest. The library expands in steps of the key's length, and so beyond one block more than the
 * cipher has rounds.
 */
static inline void wipe_aes(mbedtls_driver_aes_key_t *key, size_t key_size)
{
    const size_t schedule_size = 5 * key_size + 6 * MBEDTLS_DRIVER_AES_BLOCK_SIZE + ALIGNING;
    const size_t size = offsetof(mbedtls_driver_aes_key_t, schedule) + schedule_size;
    const size_t rounded = (size + 31) & ~(size_t)31;

    corral_wipe(key, rounded < sizeof *key ? rounded : sizeof *key);
}

/* The direction of a mode that needs it, as the library counts. */
static inline int aes_direction(uint8_t is_decryption)
{
    return is_decryption ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT;
}

#endif
