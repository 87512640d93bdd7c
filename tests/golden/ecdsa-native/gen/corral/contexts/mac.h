/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bound drivers keep for a MAC operation. Generated from a configuration, board native and
 * each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_MAC_H
#define CORRAL_CONTEXTS_MAC_H

#include <stdint.h>

typedef struct {
    uint8_t unused; /* no driver serves this family */
} corral_mac_context_t;

#endif
