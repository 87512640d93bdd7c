/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MBEDTLS_DRIVER_AES_KEY_H
#define MBEDTLS_DRIVER_AES_KEY_H

#include "mbedtls_contexts.h"

#include <mbedtls/aes.h>

#define MBEDTLS_DRIVER_AES_BLOCK_SIZE 16

_Static_assert(sizeof(mbedtls_driver_aes_key_t) >= sizeof(mbedtls_aes_context),
               "mbedtls_contexts.h repeats mbedtls_aes_context");

static inline mbedtls_aes_context *aes_of(mbedtls_driver_aes_key_t *key)
{
    return (mbedtls_aes_context *)key;
}

/* The direction of a mode that needs it, as the library counts. */
static inline int aes_direction(uint8_t is_decryption)
{
    return is_decryption ? MBEDTLS_AES_DECRYPT : MBEDTLS_AES_ENCRYPT;
}

#endif
