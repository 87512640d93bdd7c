/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bound drivers keep for an AEAD operation. Generated from a configuration, board native
 * and each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_AEAD_H
#define CORRAL_CONTEXTS_AEAD_H

#include <stdint.h>

typedef struct {
    uint8_t unused; /* no driver serves this family */
} corral_aead_context_t;

#endif
