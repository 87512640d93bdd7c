/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations. The chip keeps nothing between two calls, so any number of
 * them go on side by side. All may be copied byte by byte.
 */
#ifndef ATECC608_CONTEXTS_H
#define ATECC608_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#define ATECC608_AES_BLOCK_SIZE 16u
#define ATECC608_SHA256_STATE_SIZE 36u /* of whole blocks: length, chaining value */

/* Which key of which chip: index in the device table, and a copy of the key's context. */
typedef struct {
    uint8_t device;
    uint8_t context[8];
} atecc608_key_reference_t;

typedef struct {
    atecc608_key_reference_t key;
    uint8_t mode; /* enum in cipher.c */
    bool is_encrypt;
    uint8_t used;                            /* bytes of `stream` that are spent (CTR) */
    uint8_t iv[ATECC608_AES_BLOCK_SIZE];     /* previous ciphertext (CBC), next counter (CTR) */
    uint8_t stream[ATECC608_AES_BLOCK_SIZE]; /* encrypted counter (CTR) */
} atecc608_cipher_operation_t;

typedef struct {
    atecc608_key_reference_t key;
    uint8_t used;                           /* bytes in `block` */
    uint8_t chain[ATECC608_AES_BLOCK_SIZE]; /* last block encrypted */
    uint8_t block[ATECC608_AES_BLOCK_SIZE]; /* not absorbed yet: it may be the last one */
} atecc608_cmac_operation_t;

typedef struct {
    bool has_begun;                            /* `state` holds something */
    uint8_t used;                              /* bytes in `block` */
    uint8_t state[ATECC608_SHA256_STATE_SIZE]; /* the chip's, after whole blocks */
    uint8_t block[64];                         /* not given to the chip yet */
} atecc608_hash_operation_t;

/* The chip's generator needs no state here. */
typedef struct {
    uint8_t unused;
} atecc608_random_context_t;

#endif
