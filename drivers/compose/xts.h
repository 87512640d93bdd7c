/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XTS over a 128-bit block cipher (IEEE 1619, NIST SP 800-38E). The key is the two of the mode, one
 * after the other. Whole blocks; the last call alone may have a rest, behind at least one block,
 * and steals from it.
 *   PSA_ERROR_INVALID_ARGUMENT  the two keys are the same
 */
#ifndef COMPOSE_XTS_H
#define COMPOSE_XTS_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    corral_block_context_t tweaking; /* until the IV is set */
    uint8_t tweak[16];               /* of the next block */
    bool is_encrypt;
} compose_xts_operation_t;

#endif
