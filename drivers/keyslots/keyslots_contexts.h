/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations. The engine's state waits in them between two calls, so any
 * number of them go on side by side. All may be copied byte by byte.
 */
#ifndef KEYSLOTS_CONTEXTS_H
#define KEYSLOTS_CONTEXTS_H

#include <stdint.h>

#define KEYSLOTS_BLOCK_SIZE 16u
#define KEYSLOTS_DATA_SIZE 64u /* of one command */

/* Which key of which part: index in the device table, and a copy of the key's context. */
typedef struct {
    uint8_t device;
    uint8_t context[8];
} keyslots_reference_t;

typedef struct {
    keyslots_reference_t key;
    uint8_t mode;                        /* of the engine: enum in part.h */
    uint8_t used;                        /* bytes of `stream` that are spent (CTR) */
    uint8_t state[KEYSLOTS_BLOCK_SIZE];  /* previous ciphertext (CBC), next counter (CTR) */
    uint8_t stream[KEYSLOTS_BLOCK_SIZE]; /* encrypted counter (CTR) */
} keyslots_cipher_operation_t;

typedef struct {
    keyslots_reference_t key;
    uint8_t used;                       /* bytes in `waiting` */
    uint8_t state[KEYSLOTS_BLOCK_SIZE]; /* of the blocks that are absorbed */
    uint8_t waiting[KEYSLOTS_DATA_SIZE];
} keyslots_cmac_operation_t;

#endif
