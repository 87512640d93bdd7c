/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CONTEXTS_XOF_H
#define CORRAL_CONTEXTS_XOF_H

#include <stdint.h>

typedef struct {
    uint8_t unused;
} corral_xof_context_t;

#endif
