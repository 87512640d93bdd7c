/* SPDX-License-Identifier: Apache-2.0 */
/* HKDF, and its two halves (RFC 5869), over any HMAC. */
#ifndef COMPOSE_HKDF_H
#define COMPOSE_HKDF_H

#include "prf.h"

typedef struct {
    compose_prf_t prf; /* under the pseudorandom key */
    uint16_t info_length;
    uint8_t hash_length;
    uint8_t counter; /* of the block that stands in the message; 0: none yet */
    uint8_t used;    /* bytes of it that went out */
    /* What the next block is made of: the block before, the information, the counter. */
    uint8_t message[CORRAL_HASH_MAX_LENGTH + CORRAL_DERIVATION_INPUT_MAX_SIZE + 1];
} compose_hkdf_operation_t;

typedef struct {
    uint8_t key[CORRAL_HASH_MAX_LENGTH]; /* the pseudorandom key, which is the output */
    uint8_t used;
} compose_hkdf_extract_operation_t;

#endif
