/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CONTEXTS_CIPHER_H
#define CORRAL_CONTEXTS_CIPHER_H

#include <stdint.h>

typedef struct {
    uint8_t unused;
} corral_cipher_context_t;

#endif
