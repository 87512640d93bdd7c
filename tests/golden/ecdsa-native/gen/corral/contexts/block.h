/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bound drivers keep for a block cipher with its key, for constructions over it. Generated
 * from a configuration, board native and each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_BLOCK_H
#define CORRAL_CONTEXTS_BLOCK_H

#include <stdint.h>

typedef struct {
    uint8_t unused; /* no driver serves this family */
} corral_block_context_t;

#endif
