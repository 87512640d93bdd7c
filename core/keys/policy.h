/* SPDX-License-Identifier: Apache-2.0 */
/* Key policies: permitted uses of a key (PSA Crypto 1.5, 9.8). */
#ifndef CORRAL_CORE_KEYS_POLICY_H
#define CORRAL_CORE_KEYS_POLICY_H

#include <stdbool.h>

#include <psa/crypto.h>

/*
 * Whether the policy of these attributes permits `usage` with another algorithm than its own: by a
 * wildcard, or because the two agree in what `usage` does. PSA_ALG_NONE is always covered. The type
 * of key decides how long a MAC can be.
 */
bool corral_policy_covers(const psa_key_attributes_t *attributes, psa_key_usage_t usage,
                          psa_algorithm_t alg);

/*
 * Check that a key with these attributes may be used for `usage` (one or several flags, all of
 * which are needed) with the algorithm `alg` (PSA_ALG_NONE: only the flags are looked at).
 *   PSA_SUCCESS              it may
 *   PSA_ERROR_NOT_PERMITTED  a flag is missing, or the policy's algorithm does not cover `alg`
 * A wildcard passed as `alg` is covered by the same wildcard; it is refused by dispatch, where no
 * mechanism matches it.
 */
static inline psa_status_t corral_policy_permits(const psa_key_attributes_t *attributes,
                                                 psa_key_usage_t usage, psa_algorithm_t alg)
{
    /* The common case in two comparisons. */
    return (usage & ~attributes->usage) == 0 &&
                   (attributes->algorithm == alg || corral_policy_covers(attributes, usage, alg))
               ? PSA_SUCCESS
               : PSA_ERROR_NOT_PERMITTED;
}

/*
 * The algorithm that both policies permit for a key of this type: the common one, or the more
 * specific one. PSA_ALG_NONE if there is none, or if both are PSA_ALG_NONE (then the key may still
 * be copied: see copy.c).
 */
psa_algorithm_t corral_policy_intersection(psa_key_type_t type, psa_algorithm_t a,
                                           psa_algorithm_t b);

#endif
