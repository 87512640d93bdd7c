/* SPDX-License-Identifier: Apache-2.0 */
/* Key derivation in counter mode (NIST SP 800-108r1, 4.1) over any HMAC or CMAC. */
#ifndef COMPOSE_COUNTER_KDF_H
#define COMPOSE_COUNTER_KDF_H

#include "prf.h"

#define COMPOSE_COUNTER_KDF_BLOCK_MAX (CORRAL_MAC_MAX_SIZE > 16 ? CORRAL_MAC_MAX_SIZE : 16)

typedef struct {
    compose_prf_t prf;
    uint32_t counter;
    uint16_t message_length;
    uint8_t block_length;
    uint8_t used; /* bytes of the block that went out */
    uint8_t block[COMPOSE_COUNTER_KDF_BLOCK_MAX];
    /* Counter, label, a zero byte, context, bits of output, and for CMAC the block K0. */
    uint8_t message[4 + CORRAL_DERIVATION_INPUT_MAX_SIZE + 1 + 4 + 16];
} compose_counter_kdf_operation_t;

#endif
