/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs block ciphers for constructions. Generated from apps/ecdsa, board native and each
 * driver.json.
 */
#ifndef CORRAL_DISPATCH_BLOCK_H
#define CORRAL_DISPATCH_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/block.h>
#include <psa/crypto.h>

/*
 * Set a block cipher up for a construction. Call only with keys that the construction was bound
 * for: their block cipher is bound, too.
 */
static inline psa_status_t corral_dispatch_block_setup(corral_block_context_t *context,
                                                       const psa_key_attributes_t *attributes,
                                                       const uint8_t *key_buffer,
                                                       size_t key_buffer_size, bool is_encrypt)
{
    (void)context;
    (void)attributes;
    (void)key_buffer;
    (void)key_buffer_size;
    (void)is_encrypt;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_block_update(corral_block_context_t *context,
                                                        const uint8_t *input, size_t input_length,
                                                        uint8_t *output)
{
    (void)context;
    (void)input;
    (void)input_length;
    (void)output;
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline void corral_dispatch_block_abort(corral_block_context_t *context)
{
    (void)context;
}

#endif
