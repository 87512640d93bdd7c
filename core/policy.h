/* SPDX-License-Identifier: Apache-2.0 */
/* Key policies: what a key may be used for (PSA Crypto 1.5, 9.8). */
#ifndef CORRAL_CORE_POLICY_H
#define CORRAL_CORE_POLICY_H

#include <psa/crypto.h>

/*
 * Check that a key with these attributes may be used for `usage` (one or several flags, all of
 * which are needed) with the algorithm `alg` (PSA_ALG_NONE: only the flags are looked at).
 *   PSA_SUCCESS              it may
 *   PSA_ERROR_NOT_PERMITTED  a flag is missing, or the policy's algorithm does not cover `alg`
 * A wildcard passed as `alg` is covered by the same wildcard; it is refused by dispatch, where no
 * mechanism matches it.
 */
psa_status_t corral_policy_permits(const psa_key_attributes_t *attributes, psa_key_usage_t usage,
                                   psa_algorithm_t alg);

/*
 * The algorithm that both policies permit: the common one, or the more specific one. PSA_ALG_NONE
 * if there is none, or if both are PSA_ALG_NONE (then the key may still be copied: see copy.c).
 */
psa_algorithm_t corral_policy_intersection(psa_algorithm_t a, psa_algorithm_t b);

#endif
