/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the bound drivers for a hash operation. Generated from a configuration, board native and
 * each driver.json. Made by corral.generate.contexts.
 */
#ifndef CORRAL_CONTEXTS_HASH_H
#define CORRAL_CONTEXTS_HASH_H

#include <corral/drivers/mbedtls/mbedtls_contexts.h>

typedef struct {
    union {
        mbedtls_driver_sha256_operation_t mbedtls_driver_sha256_operation;
    } as;
} corral_hash_context_t;

#endif
