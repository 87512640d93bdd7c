/* SPDX-License-Identifier: Apache-2.0 */
/* The PRF of TLS 1.2 (RFC 5246, 5), and what gives it pre-shared secrets (RFC 4279, J-PAKE). */
#ifndef COMPOSE_TLS12_H
#define COMPOSE_TLS12_H

#include "prf.h"

typedef struct {
    compose_prf_t prf;
    uint16_t message_length; /* of label and seed */
    uint8_t hash_length;
    uint8_t used; /* bytes of the block that went out */
    uint8_t block[CORRAL_HASH_MAX_LENGTH];
    /* A(n) for the next block, label, seed. */
    uint8_t message[CORRAL_HASH_MAX_LENGTH + CORRAL_DERIVATION_INPUT_MAX_SIZE];
} compose_tls12_operation_t;

typedef struct {
    uint8_t secret[PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE];
} compose_tls12_ecjpake_operation_t;

#endif
