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

/* Entry points of key_derivation. */
psa_status_t compose_tls12_prf_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_psk_setup(compose_tls12_operation_t *operation, psa_algorithm_t alg,
                                     const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_output_bytes(compose_tls12_operation_t *operation, uint8_t *output,
                                        size_t output_length);
psa_status_t compose_tls12_abort(compose_tls12_operation_t *operation);

psa_status_t compose_tls12_ecjpake_setup(compose_tls12_ecjpake_operation_t *operation,
                                         psa_algorithm_t alg,
                                         const psa_crypto_driver_key_derivation_inputs_t *inputs);
psa_status_t compose_tls12_ecjpake_output_bytes(compose_tls12_ecjpake_operation_t *operation,
                                                uint8_t *output, size_t output_length);
psa_status_t compose_tls12_ecjpake_abort(compose_tls12_ecjpake_operation_t *operation);

#endif
