/* SPDX-License-Identifier: Apache-2.0 */
#include "hold.h"

#include <corral/lock.h>

#include "builtin.h"
#include "persistent.h"
#include "policy.h"
#include "pool.h"

#define NO_SUCH_KEY (CORRAL_LENIENT_KEY_IDS ? PSA_ERROR_DOES_NOT_EXIST : PSA_ERROR_INVALID_HANDLE)

/* Hold a key that comes into its slot when it is used, if its policy permits it. */
static psa_status_t hold_from_elsewhere(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                        struct corral_key **key)
{
    psa_status_t status = PSA_ERROR_INVALID_HANDLE;

    if (corral_id_is_builtin(id)) {
        status = corral_builtin_key_hold(id, key);
    } else if (CORRAL_PERSISTENT_KEYS) {
        status = corral_persistent_hold(id, key);
    }
    if (status == PSA_SUCCESS) {
        status = corral_policy_permits(&(*key)->attributes, usage, alg);
        if (status != PSA_SUCCESS) {
            corral_key_release(*key);
        }
    }
    return status == PSA_ERROR_INVALID_HANDLE ? NO_SUCH_KEY : status;
}

psa_status_t corral_key_hold_for(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                 struct corral_key **key)
{
    psa_status_t status = NO_SUCH_KEY;

    if (corral_id_is_persistent(id) || corral_id_is_builtin(id)) {
        return hold_from_elsewhere(id, usage, alg, key);
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *found = corral_key_find(id);
    if (found != NULL) {
        *key = found;
        status = corral_policy_permits(&found->attributes, usage, alg);
        if (CORRAL_COUNT_HOLDS && status == PSA_SUCCESS) {
            status = corral_key_count_hold(found);
        }
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

psa_status_t corral_key_hold(psa_key_id_t id, struct corral_key **key)
{
    return corral_key_hold_for(id, 0, PSA_ALG_NONE, key);
}

/* The last word is the first one where there is no other. */
static inline bool is_same(const struct corral_key_number *a, const struct corral_key_number *b)
{
    const size_t last = CORRAL_KEY_NUMBER_WORDS - 1;

    return a->words[0] == b->words[0] && a->words[last] == b->words[last];
}

psa_status_t corral_key_hold_again(const struct corral_bound_key *bound, struct corral_key **key)
{
    psa_status_t status = corral_key_hold(bound->id, key);

    if (status == PSA_SUCCESS && !is_same(&(*key)->number, &bound->number)) {
        corral_key_release(*key);
        status = PSA_ERROR_INVALID_HANDLE;
    }
    return status == PSA_ERROR_INVALID_HANDLE || status == NO_SUCH_KEY ? PSA_ERROR_BAD_STATE
                                                                       : status;
}

void corral_key_unhold(struct corral_key *key)
{
    if (corral_key_is_own(key)) {
        corral_builtin_key_unhold(key);
        return;
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->holds--;
    if (key->holds == 0 && key->state == CORRAL_KEY_READY && corral_key_is_transient(key)) {
        key->state = CORRAL_KEY_DYING;
    }
    const bool is_last = key->holds == 0 && key->state == CORRAL_KEY_DYING;
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (is_last) {
        corral_key_free(key);
    }
}

psa_status_t corral_key_withdraw(psa_key_id_t id, struct corral_key **key)
{
    psa_status_t status = corral_key_hold(id, key);
    if (status != PSA_SUCCESS) {
        return status == NO_SUCH_KEY ? PSA_ERROR_INVALID_HANDLE : status;
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    if ((*key)->state == CORRAL_KEY_READY) {
        (*key)->state = CORRAL_KEY_RESERVED;
        if (!CORRAL_COUNT_HOLDS) {
            (*key)->attributes.id = 0;
        }
    } else {
        /* Another thread was faster; it frees the key when our hold is gone. */
        status = PSA_ERROR_INVALID_HANDLE;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (status != PSA_SUCCESS) {
        corral_key_release(*key);
    }
    return status;
}

void corral_key_free_held(struct corral_key *key)
{
    if (!CORRAL_COUNT_HOLDS) {
        corral_key_free(key);
        return;
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->state = CORRAL_KEY_DYING;
    corral_lock_leave(CORRAL_LOCK_CORE);
    corral_key_unhold(key);
}

void corral_key_revive(struct corral_key *key, psa_key_id_t id)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->state = CORRAL_KEY_READY;
    if (!CORRAL_COUNT_HOLDS) {
        key->attributes.id = id;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    corral_key_release(key);
}
