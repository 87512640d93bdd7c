/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PBKDF2 (RFC 8018, 5.2) over HMAC and over AES-CMAC-PRF-128 (RFC 4615).
 *
 * Iterations are what it costs, so they do nothing twice: they stand on the hash and on the block
 * cipher directly, where the state that follows from the password can be kept and copied. With HMAC
 * that is two compressions an iteration, with CMAC one block.
 */
#ifndef COMPOSE_PBKDF2_H
#define COMPOSE_PBKDF2_H

#include <corral/bindings.h>
#include <corral/derivation.h>

#include "hmac.h"

typedef struct {
    uint32_t cost;
    uint32_t counter; /* of the block */
    uint16_t salt_length;
    uint8_t used;                                       /* bytes of the block that went out */
    uint8_t salt[CORRAL_DERIVATION_INPUT_MAX_SIZE + 4]; /* and room for the counter */
} compose_pbkdf2_t;

typedef struct {
    compose_pbkdf2_t common;
    psa_algorithm_t hash_alg;
    uint8_t hash_length;
    uint8_t block[CORRAL_HASH_MAX_LENGTH];
    uint8_t key[CORRAL_HASH_BLOCK_MAX_LENGTH]; /* the password, filled up with zeros */
} compose_pbkdf2_hmac_operation_t;

typedef struct {
    compose_pbkdf2_t common;
    uint8_t block[16];
    uint8_t key[16];
} compose_pbkdf2_cmac_operation_t;

#endif
