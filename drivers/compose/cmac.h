/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC (NIST SP 800-38B, RFC 4493) and CBC-MAC (ISO/IEC 9797-1) over a 128-bit block cipher. */
#ifndef COMPOSE_CMAC_H
#define COMPOSE_CMAC_H

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    uint8_t chain[16];      /* the running CBC value */
    uint8_t pending[16];    /* the last block so far: whether it is the last decides its mask */
    uint8_t pending_length; /* 0 to 16 */
} compose_cmac_operation_t;

#endif
