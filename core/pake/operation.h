/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Password-authenticated key exchange inside the core: inputs of each algorithm, and their
 * order. The driver computes; it learns the key, the identities and its step from the core.
 */
#ifndef CORRAL_CORE_PAKE_OPERATION_H
#define CORRAL_CORE_PAKE_OPERATION_H

#include <stdbool.h>

#include <corral/pake.h>
#include <psa/crypto.h>

#include "../keys/key.h"

/* Positions of user, peer and context in an operation; bits of `given`, with one for the role. */
enum { CORRAL_PAKE_USER, CORRAL_PAKE_PEER, CORRAL_PAKE_CONTEXT, CORRAL_PAKE_ROLE };

static inline bool corral_pake_was_given(const psa_pake_operation_t *operation, unsigned what)
{
    return ((unsigned)operation->given >> what & 1u) != 0;
}

/* Kind of an exchange; constant where the build has only one. */
static inline bool corral_pake_is_jpake(psa_algorithm_t alg)
{
    return CORRAL_ANY_ALG(PSA_ALG_IS_JPAKE) && PSA_ALG_IS_JPAKE(alg);
}

/*
 * Whether the operation has a copy of the password, because the key may be destroyed. J-PAKE has no
 * context, so the copy has its position.
 */
static inline bool corral_pake_is_copied(const psa_pake_operation_t *operation)
{
    return CORRAL_LENIENT_DESTROY && corral_pake_is_jpake(operation->alg) &&
           operation->length[CORRAL_PAKE_CONTEXT] != 0;
}

static inline bool corral_pake_is_sae(psa_algorithm_t alg)
{
    return CORRAL_ANY_ALG(PSA_ALG_IS_WPA3_SAE) && PSA_ALG_IS_WPA3_SAE(alg);
}

/*
 * Check the algorithm of a cipher suite, before a key is looked for.
 *   PSA_ERROR_INVALID_ARGUMENT  no PAKE, or none by which an operation runs
 */
psa_status_t corral_pake_check_algorithm(psa_algorithm_t alg);

/*
 * Check a cipher suite with a key that permits its algorithm.
 *   PSA_ERROR_INVALID_ARGUMENT  the key is of another type, or the parts of the suite contradict
 *                               each other
 *   PSA_ERROR_NOT_SUPPORTED     this build does not do the algorithm, or there is no such primitive
 */
psa_status_t corral_pake_check_suite(const psa_pake_cipher_suite_t *cipher_suite,
                                     const psa_key_attributes_t *attributes);

/* Whether keys of a type and size go with the algorithm; and with the primitive too. */
bool corral_pake_takes_type(psa_algorithm_t alg, const psa_key_attributes_t *attributes);
bool corral_pake_takes_key(psa_algorithm_t alg, psa_pake_primitive_t primitive,
                           const psa_key_attributes_t *attributes);

/*
 * Check a role.
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no such role, or the key does not go with it
 *   PSA_ERROR_BAD_STATE         the key was destroyed
 */
psa_status_t corral_pake_check_role(const psa_pake_operation_t *operation, psa_pake_role_t role);

/*
 * Check what identifies a side or the session; `what` is a position.
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm does not take this identity
 *   PSA_ERROR_BAD_STATE         it has no use for one in this position
 */
psa_status_t corral_pake_check_identity(const psa_pake_operation_t *operation, unsigned what,
                                        const uint8_t *data, size_t length);

/*
 * Find the place of a step among those of the algorithm.
 *   PSA_ERROR_INVALID_ARGUMENT  it has no such step in this direction
 *   PSA_ERROR_BAD_STATE         not now, or something has not been set yet
 */
psa_status_t corral_pake_find_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                   bool is_output, psa_crypto_driver_pake_step_t *found);

/* Note that a step was done. */
void corral_pake_step_done(psa_pake_operation_t *operation, psa_pake_step_t step, bool is_output);

/* Whether all steps were done, so that the key can be had. */
bool corral_pake_is_complete(const psa_pake_operation_t *operation);

/* Bytes that an output needs room for. */
size_t corral_pake_output_size(const psa_pake_operation_t *operation, psa_pake_step_t step);

/*
 * The same for WPA3-SAE: check the primitive and the key, find the place of a step, note it, tell
 * whether the other side has proved that it has the key, and say how long an output is.
 */
psa_status_t corral_sae_check_primitive(psa_algorithm_t alg, psa_pake_primitive_t primitive);
bool corral_sae_takes_type(psa_algorithm_t alg, const psa_key_attributes_t *attributes);
bool corral_sae_takes_key(psa_algorithm_t alg, psa_pake_primitive_t primitive,
                          const psa_key_attributes_t *attributes);
psa_status_t corral_sae_find_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                  bool is_output, psa_crypto_driver_pake_step_t *found);
void corral_sae_step_done(psa_pake_operation_t *operation, psa_pake_step_t step, bool is_output);
bool corral_sae_is_confirmed(const psa_pake_operation_t *operation);
size_t corral_sae_output_size(const psa_pake_operation_t *operation, psa_pake_step_t step);

/* Show a driver the cipher suite and the key that it works with. */
void corral_pake_show_key(psa_crypto_driver_pake_inputs_t *inputs, psa_algorithm_t alg,
                          psa_pake_primitive_t primitive, struct corral_key *key);

/* A call failed with `status`, which is returned: an active operation is wiped, and has failed. */
psa_status_t corral_pake_fail(psa_pake_operation_t *operation, psa_status_t status);

#endif
