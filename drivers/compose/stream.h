/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block cipher modes that work as a stream: CTR, CFB with whole-block feedback, OFB (NIST
 * SP 800-38A, 6.3 to 6.5), CCM* without tag, which is CTR with a counter of two bytes (Zigbee). Any
 * length a call; all of them only ever encrypt blocks.
 *   PSA_ERROR_INVALID_ARGUMENT  CCM*: more than 65,536 bytes
 */
#ifndef COMPOSE_STREAM_H
#define COMPOSE_STREAM_H

#include <stdbool.h>

#include <corral/contexts/block.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_block_context_t block;
    psa_algorithm_t alg;
    uint8_t input[16];     /* what the cipher encrypts next: counter, or feedback */
    uint8_t keystream[16]; /* what it made of the last one */
    uint8_t used;          /* bytes of the keystream that are spent, 0 to 15 */
    bool is_encrypt;
} compose_stream_operation_t;

#endif
