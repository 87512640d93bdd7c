/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TPM2_CONTEXTS_H
#define TPM2_CONTEXTS_H

#include <stdint.h>

/* Random numbers have no state here. */
typedef struct {
    uint8_t unused;
} tpm2_random_context_t;

#endif
