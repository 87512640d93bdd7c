/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: operations in parts are on the trusted side, and go on there. */
#ifndef REMOTE_CONTEXTS_H
#define REMOTE_CONTEXTS_H

#include <stdint.h>

typedef struct {
    uint32_t handle; /* of the trusted side; 0: inactive */
} remote_operation_t;

/* Random numbers have no state here. */
typedef struct {
    uint8_t unused;
} remote_random_context_t;

#endif
