/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bound drivers keep for a random generator. Generated from a configuration, board native
 * and each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_RANDOM_H
#define CORRAL_CONTEXTS_RANDOM_H

#include <corral/drivers/mbedtls/mbedtls_contexts.h>

typedef struct {
    union {
        mbedtls_driver_random_context_t mbedtls_driver_random_context;
    } as;
} corral_random_context_t;

#endif
