/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an identifier to its key: in a slot of the pools, stored, or built in. A function holds
 * a key while it uses it; destroying a key that another thread holds takes effect when the last
 * hold is released. In a build for one thread no other call can destroy the key meanwhile,
 * and holds cost nothing, unless persistent keys have to make room for each other.
 */
#ifndef CORRAL_CORE_KEYS_HOLD_H
#define CORRAL_CORE_KEYS_HOLD_H

#include "../common/multipart.h"
#include "key.h"

/*
 * Find the key `id` and hold it. After success call corral_key_release() exactly once.
 *   PSA_ERROR_INVALID_HANDLE       no such key, or not any more; *key is not written
 *   PSA_ERROR_INSUFFICIENT_MEMORY  more calls use the key at once than can be counted (255);
 *                                  of a persistent key also: no slot is free for it
 *   other                          where the key is stored or built in: see persistent.h, builtin.h
 */
psa_status_t corral_key_hold(psa_key_id_t id, struct corral_key **key);

/*
 * corral_key_hold() for an operation that goes on with its key, after purging and loading it, too.
 *   PSA_ERROR_BAD_STATE  the key was destroyed, even if a new key has its identifier; any other
 *                        failure is that of corral_key_hold()
 */
psa_status_t corral_key_hold_again(const struct corral_bound_key *bound, struct corral_key **key);

/*
 * corral_key_hold(), and check that the key's policy permits `usage` with `alg` (policy.h).
 *   PSA_ERROR_NOT_PERMITTED  it does not; nothing is held
 */
psa_status_t corral_key_hold_for(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                 struct corral_key **key);

/*
 * corral_key_hold_for(), to set up an operation whose state is `state` (multipart.h).
 *   PSA_ERROR_BAD_STATE  it is set up already, or has failed
 */
static inline psa_status_t corral_key_hold_to_begin(psa_algorithm_t state, psa_key_id_t id,
                                                    psa_key_usage_t usage, psa_algorithm_t alg,
                                                    struct corral_key **key)
{
    return state == PSA_ALG_NONE ? corral_key_hold_for(id, usage, alg, key) : PSA_ERROR_BAD_STATE;
}

/*
 * corral_key_hold_again(), to go on with an operation whose state is `state`.
 *   PSA_ERROR_BAD_STATE  also: it is not active
 */
static inline psa_status_t corral_key_hold_to_go_on(psa_algorithm_t state,
                                                    const struct corral_bound_key *bound,
                                                    struct corral_key **key)
{
    return corral_operation_is_active(state) ? corral_key_hold_again(bound, key)
                                             : PSA_ERROR_BAD_STATE;
}

/* The part of corral_key_release() that a build needs where holds are counted. */
void corral_key_unhold(struct corral_key *key);

static inline void corral_key_release(struct corral_key *key)
{
    if (CORRAL_COUNT_HOLDS) {
        corral_key_unhold(key);
    }
}

/*
 * Begin to destroy a key: the caller holds it, and no other call finds it any more. End
 * with corral_key_free_held(), or with corral_key_revive() if the element kept its key.
 *   PSA_ERROR_INVALID_HANDLE  no such key
 */
psa_status_t corral_key_withdraw(psa_key_id_t id, struct corral_key **key);
void corral_key_free_held(struct corral_key *key);
void corral_key_revive(struct corral_key *key, psa_key_id_t id);

#endif
