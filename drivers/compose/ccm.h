/* SPDX-License-Identifier: Apache-2.0 */
/* CCM over a 128-bit block cipher (RFC 3610, NIST SP 800-38C). It only ever encrypts blocks. */
#ifndef COMPOSE_CCM_H
#define COMPOSE_CCM_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    size_t ad_length;
    size_t text_length;
    uint8_t chain[16];     /* the running CBC-MAC */
    uint8_t counter[16];   /* the block that makes the next piece of the key stream */
    uint8_t keystream[16]; /* what it made of the last one */
    uint8_t filled;        /* bytes of the current block in `chain`, and of the key stream spent */
    uint8_t tag_length;
    bool is_encrypt;
} compose_ccm_operation_t;

#endif
