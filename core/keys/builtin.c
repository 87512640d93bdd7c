/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>

#include "../common/initialised.h"
#include "attach.h"
#include "pool.h"
#include "unique.h"

/* Hold the key if its slot has it, as whoever calls now has it. PSA_ERROR_DOES_NOT_EXIST: not. */
static psa_status_t hold_loaded(struct corral_key *key)
{
    psa_status_t status = PSA_ERROR_DOES_NOT_EXIST;

    corral_lock_enter(CORRAL_LOCK_CORE);
    if (key->state == CORRAL_KEY_READY && corral_key_is_mine(key)) {
        status = CORRAL_COUNT_HOLDS ? corral_key_count_hold(key) : PSA_SUCCESS;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

static void empty(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    corral_wipe(key, sizeof(struct corral_builtin_slot));
    corral_lock_leave(CORRAL_LOCK_CORE);
}

void corral_builtin_key_unhold(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->holds--;
    if (key->holds == 0) {
        /* With the lock: the next caller fills the same slot. */
        corral_wipe(key, sizeof(struct corral_builtin_slot));
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
}

/* One of the board's own keys: 32 bytes each, in the format of their type. */
static psa_status_t fetch_own(struct corral_key *key, uint8_t label)
{
    psa_status_t status = PSA_ERROR_INVALID_HANDLE;

    if (CORRAL_HARDWARE_KEY && label == CORRAL_OWN_HARDWARE) {
        status = corral_unique_key_of_caller(corral_key_data(key));
        corral_key_make_mine(key);
    } else if (CORRAL_ATTESTATION && label == CORRAL_OWN_ATTESTATION) {
        status = corral_port_attestation_key(corral_key_data(key));
    }
    key->attributes.bits = 8 * CORRAL_OWN_KEY_SIZE;
    key->length = CORRAL_OWN_KEY_SIZE;
    return status;
}

/* Fill the slot; no other thread finds it meanwhile, or writes to it. */
static psa_status_t fill(struct corral_key *key, const struct corral_builtin_key *builtin)
{
    key->attributes.type = builtin->type;
    key->attributes.algorithm = builtin->algorithm;
    key->attributes.usage = builtin->usage;
    key->attributes.lifetime = PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
        PSA_KEY_PERSISTENCE_READ_ONLY, builtin->location);
    if (CORRAL_OWN_KEY_SIZE > 0 && corral_attributes_are_local(&key->attributes)) {
        return fetch_own(key, builtin->label[0]);
    }
    psa_status_t status = corral_attach(key, builtin->label, builtin->label_length);
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_INVALID_HANDLE : status;
}

/* Put the key into its slot, held by the caller. With the lock of persistent keys. */
static psa_status_t load(struct corral_key *key, psa_key_id_t id)
{
    empty(key);
    psa_status_t status = fill(key, &corral_builtin_keys[corral_builtin_key_index(id)]);
    if (status == PSA_SUCCESS) {
        key->holds = CORRAL_COUNT_HOLDS ? 1 : 0;
        corral_key_publish_as(key, id);
    } else {
        empty(key);
    }
    return status;
}

psa_status_t corral_builtin_key_hold(psa_key_id_t id, struct corral_key **key)
{
    struct corral_key *const slot = corral_builtin_key_slot(id);

    if (slot == NULL) {
        return PSA_ERROR_INVALID_HANDLE;
    }
    psa_status_t status = hold_loaded(slot);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        if (!corral_is_initialised()) {
            return PSA_ERROR_BAD_STATE; /* nor is its driver */
        }
        corral_lock_enter(CORRAL_LOCK_PERSISTENT);
        /* Another thread may have loaded it meanwhile. */
        status = hold_loaded(slot);
        if (status == PSA_ERROR_DOES_NOT_EXIST) {
            status = load(slot, id);
        }
        corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    }
    if (status == PSA_SUCCESS) {
        *key = slot;
    }
    return status;
}
