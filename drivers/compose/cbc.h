/* SPDX-License-Identifier: Apache-2.0 */
/* CBC over a 128-bit block cipher (NIST SP 800-38A, 6.2); whole blocks, no padding. */
#ifndef COMPOSE_CBC_H
#define COMPOSE_CBC_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    uint8_t chain[16]; /* the IV, then the last ciphertext block */
    bool is_encrypt;
} compose_cbc_operation_t;

#endif
