/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>

#include "../common/multipart.h"
#include "operation.h"

/* Steps of J-PAKE in each direction: two shares in round one and one in round two, 3 steps each. */
#define JPAKE_ROUND_ONE 6u
#define JPAKE_ALL 9u
/* SPAKE2+: a share and a confirmation in each direction. */
#define SPAKE2P_SHARES 2u
#define SPAKE2P_ALL 4u

/*
 * A round of one direction in J-PAKE is complete before the other direction begins, and
 * both end a round before the next (PSA Crypto 1.5, 10.13.8).
 */
static bool jpake_may_go_on(uint8_t mine, uint8_t other)
{
    if (mine < JPAKE_ROUND_ONE) {
        return other == 0 || other == JPAKE_ROUND_ONE;
    }
    return mine < JPAKE_ALL && (other == JPAKE_ROUND_ONE || other == JPAKE_ALL);
}

static psa_status_t find_jpake_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                    bool is_output, psa_crypto_driver_pake_step_t *found)
{
    const uint8_t mine = is_output ? operation->sent : operation->received;
    const uint8_t other = is_output ? operation->received : operation->sent;

    if (step < PSA_PAKE_STEP_KEY_SHARE || step > PSA_PAKE_STEP_ZK_PROOF) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_pake_was_given(operation, CORRAL_PAKE_USER) ||
        !corral_pake_was_given(operation, CORRAL_PAKE_PEER) || !jpake_may_go_on(mine, other) ||
        step != PSA_PAKE_STEP_KEY_SHARE + mine % 3u) {
        return PSA_ERROR_BAD_STATE;
    }
    *found = (psa_crypto_driver_pake_step_t)(PSA_JPAKE_X1_STEP_KEY_SHARE + mine);
    return PSA_SUCCESS;
}

/* The client speaks first and last, the server in between; there is one order. */
static psa_status_t find_spake2p_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                      bool is_output, psa_crypto_driver_pake_step_t *found)
{
    const unsigned done = (unsigned)operation->sent + operation->received;
    const bool is_client = operation->role == PSA_PAKE_ROLE_CLIENT;
    const bool is_of_client = done == 0 || done == SPAKE2P_ALL - 1;
    const psa_pake_step_t wanted =
        done < SPAKE2P_SHARES ? PSA_PAKE_STEP_KEY_SHARE : PSA_PAKE_STEP_CONFIRM;

    if (step != PSA_PAKE_STEP_KEY_SHARE && step != PSA_PAKE_STEP_CONFIRM) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (operation->role == PSA_PAKE_ROLE_NONE || done == SPAKE2P_ALL || step != wanted ||
        is_output != (is_client == is_of_client)) {
        return PSA_ERROR_BAD_STATE;
    }
    *found = step;
    return PSA_SUCCESS;
}

psa_status_t corral_pake_find_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                   bool is_output, psa_crypto_driver_pake_step_t *found)
{
    if (!corral_operation_is_active(operation->alg)) {
        return PSA_ERROR_BAD_STATE;
    }
    if (corral_pake_is_sae(operation->alg)) {
        return corral_sae_find_step(operation, step, is_output, found);
    }
    return corral_pake_is_jpake(operation->alg)
               ? find_jpake_step(operation, step, is_output, found)
               : find_spake2p_step(operation, step, is_output, found);
}

void corral_pake_step_done(psa_pake_operation_t *operation, psa_pake_step_t step, bool is_output)
{
    if (corral_pake_is_sae(operation->alg)) {
        corral_sae_step_done(operation, step, is_output);
    } else if (is_output) {
        operation->sent++;
    } else {
        operation->received++;
    }
}

bool corral_pake_is_complete(const psa_pake_operation_t *operation)
{
    if (corral_pake_is_sae(operation->alg)) {
        return corral_sae_is_confirmed(operation);
    }
    if (corral_pake_is_jpake(operation->alg)) {
        return operation->sent == JPAKE_ALL && operation->received == JPAKE_ALL;
    }
    return (unsigned)operation->sent + operation->received == SPAKE2P_ALL;
}

static size_t confirmation_size(psa_algorithm_t alg)
{
    /* The hash of Matter need not be one that the application can reach. */
    if (CORRAL_WANT_ALG_SPAKE2P_MATTER && alg == PSA_ALG_SPAKE2P_MATTER) {
        return 32;
    }
    return PSA_ALG_IS_SPAKE2P_CMAC(alg) ? 16 : corral_hash_length(PSA_ALG_GET_HASH(alg));
}

size_t corral_pake_output_size(const psa_pake_operation_t *operation, psa_pake_step_t step)
{
    const size_t scalar = (PSA_PAKE_PRIMITIVE_GET_BITS(operation->primitive) + 7) / 8;

    if (corral_pake_is_sae(operation->alg)) {
        return corral_sae_output_size(operation, step);
    }
    switch (step) {
    case PSA_PAKE_STEP_ZK_PROOF:
        return scalar;
    case PSA_PAKE_STEP_CONFIRM:
        return confirmation_size(operation->alg);
    default:
        return 2 * scalar + 1;
    }
}
