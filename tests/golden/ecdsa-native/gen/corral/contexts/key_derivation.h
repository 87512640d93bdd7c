/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bound drivers keep for a key derivation. Generated from a configuration, board native
 * and each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_KEY_DERIVATION_H
#define CORRAL_CONTEXTS_KEY_DERIVATION_H

#include <stdint.h>

typedef struct {
    uint8_t unused; /* no driver serves this family */
} corral_key_derivation_context_t;

#endif
