/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CONTEXTS_MAC_H
#define CORRAL_CONTEXTS_MAC_H

#include <stdint.h>

typedef struct {
    uint8_t unused;
} corral_mac_context_t;

#endif
