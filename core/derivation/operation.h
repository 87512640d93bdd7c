/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key derivations inside the core: inputs of each algorithm, and reading its output.
 *
 * The core gathers all inputs and hands them to the driver when the first output is asked for; from
 * then on the driver's context is where the inputs were. A secret that is a key is not copied: the
 * operation is bound to it, and destroying the key ends the operation (CORRAL_LENIENT_DESTROY).
 */
#ifndef CORRAL_CORE_DERIVATION_OPERATION_H
#define CORRAL_CORE_DERIVATION_OPERATION_H

#include <stdbool.h>

#include <corral/derivation.h>
#include <psa/crypto.h>

/* Beside a step, which takes the five lowest bits of a byte. */
#define CORRAL_STEP_OPTIONAL 0x20u
#define CORRAL_STEP_REPEATED 0x40u
#define CORRAL_STEP_ANY_TIME 0x80u

/* The key derivation of an operation, without the agreement that may precede it. */
static inline psa_algorithm_t corral_derivation_alg(const psa_key_derivation_operation_t *operation)
{
    return PSA_ALG_KEY_AGREEMENT_GET_KDF(operation->alg);
}

/* SP 800-108: the only ones whose output depends on how much is asked for. */
static inline bool corral_derivation_is_counter(psa_algorithm_t alg)
{
    return (CORRAL_WANT_ALG_SP800_108_COUNTER_HMAC && PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg)) ||
           (CORRAL_WANT_ALG_SP800_108_COUNTER_CMAC && alg == PSA_ALG_SP800_108_COUNTER_CMAC);
}

/* Hash to element of WPA3-SAE: gives one password token and nothing else. */
static inline bool corral_derivation_is_token(psa_algorithm_t alg)
{
    return CORRAL_WANT_ALG_WPA3_SAE_H2E && PSA_ALG_IS_WPA3_SAE_H2E(alg);
}

/* Bytes of one block of a PBKDF2, each of which takes the whole cost. */
size_t corral_pbkdf2_block_length(psa_algorithm_t alg);

/* The steps of an algorithm in their order, a byte each, the first one lowest; 0: no more steps. */
uint32_t corral_derivation_rules(psa_algorithm_t alg);

static inline uint32_t corral_derivation_rule(uint32_t rules, unsigned position)
{
    return rules >> 8 * position & 0xff;
}

static inline psa_key_derivation_step_t corral_derivation_step(uint32_t rule)
{
    return (psa_key_derivation_step_t)((rule & 0x18) << 5 | (rule & 7));
}

/* A call failed with `status`, which is returned: an active operation is wiped, and has failed. */
psa_status_t corral_derivation_fail(psa_key_derivation_operation_t *operation, psa_status_t status);

/*
 * Check that output can be asked for.
 *   PSA_ERROR_BAD_STATE  the operation is not active, or lacks an input
 */
psa_status_t corral_derivation_ready(const psa_key_derivation_operation_t *operation);

/*
 * Read from an operation that is ready. `output` is wiped if the driver fails, and not touched if
 * it is not asked; the caller ends the operation.
 *   PSA_ERROR_INSUFFICIENT_DATA  more than the capacity is asked for, which is 0 from now on
 *   PSA_ERROR_INVALID_ARGUMENT   a part of an output that must be read at once
 *   PSA_ERROR_BAD_STATE          a secret among the inputs was destroyed
 */
psa_status_t corral_derivation_read(psa_key_derivation_operation_t *operation, uint8_t *output,
                                    size_t output_length);

/* corral_derivation_fail(), except after PSA_ERROR_INSUFFICIENT_DATA, which ends nothing. */
psa_status_t corral_derivation_done(psa_key_derivation_operation_t *operation, psa_status_t status);

#endif
