/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CONTEXTS_HASH_H
#define CORRAL_CONTEXTS_HASH_H

#include <stdint.h>

typedef struct {
    uint8_t unused;
} corral_hash_context_t;

#endif
