/* SPDX-License-Identifier: Apache-2.0 */
/* The hashes of the library, by one shape. */
#ifndef AWSLC_HASH_H
#define AWSLC_HASH_H

#include "awslc_contexts.h"

/* The functions get the state of an operation, and fail only if they are misused. */
struct awslc_hash {
    void (*begin)(void *state);
    void (*add)(void *state, const uint8_t *input, size_t length);
    void (*end)(void *state, uint8_t *hash);
    uint8_t size;
    uint8_t block_size;
};

#define AWSLC_HASH_MAX_SIZE 64u
#define AWSLC_HASH_MAX_BLOCK_SIZE 128u

static inline void awslc_hash_begin(awslc_hash_operation_t *operation,
                                    const struct awslc_hash *hash)
{
    operation->hash = hash;
    hash->begin(operation->state);
}

static inline void awslc_hash_add(awslc_hash_operation_t *operation, const uint8_t *input,
                                  size_t length)
{
    operation->hash->add(operation->state, input, length);
}

static inline void awslc_hash_end(awslc_hash_operation_t *operation, uint8_t *hash)
{
    operation->hash->end(operation->state, hash);
}

#endif
