/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that wolfCrypt supports. This header reaches
 * applications through psa/crypto.h, so it repeats the library's structures member by
 * member instead of including its headers; the sources assert at compile time that it fits.
 * All contexts may be copied byte by byte.
 */
#ifndef WOLFCRYPT_CONTEXTS_H
#define WOLFCRYPT_CONTEXTS_H

#include <stdint.h>

/* wc_AsconHash256 */
typedef struct {
    uint64_t state[5];
    uint8_t filled; /* bytes of the first word that hold input of a block that is not full */
} wolfcrypt_driver_ascon_hash_operation_t;

typedef struct {
    wolfcrypt_driver_ascon_hash_operation_t
        sponge; /* `filled` counts bytes given out, at the end */
    uint8_t is_squeezing;
} wolfcrypt_driver_ascon_xof_operation_t;

/* Blake2s */
typedef struct {
    uint32_t state[8];
    uint32_t count[2];
    uint32_t flags[2];
    uint8_t input[128];
    uint32_t input_length;
    uint8_t is_last_node;
    uint32_t hash_length;
} wolfcrypt_driver_blake2s_operation_t;

/* wc_AsconAEAD128 */
typedef struct {
    uint64_t key[2];
    uint64_t state[5];
    uint8_t filled;
    uint8_t flags;
} wolfcrypt_driver_ascon_t;

typedef struct {
    wolfcrypt_driver_ascon_t cipher;
    uint8_t is_encrypt;
    uint8_t has_ad;
    uint8_t has_text;
} wolfcrypt_driver_ascon_aead_operation_t;

#endif
