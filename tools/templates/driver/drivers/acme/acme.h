/* SPDX-License-Identifier: Apache-2.0 */
/* State of an operation of the Acme hash engine between two calls. */
#ifndef ACME_H
#define ACME_H

#include <stdint.h>

typedef struct {
    uint64_t count;      /* bytes hashed so far */
    uint8_t state[32];   /* the engine's, at the last whole block */
    uint8_t pending[64]; /* the bytes after it */
} acme_hash_operation_t;

#endif
