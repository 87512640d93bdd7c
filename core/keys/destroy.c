/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/key.h>

#include "builtin.h"
#include "hold.h"
#include "persistent.h"
#include "pool.h"

psa_status_t psa_destroy_key(psa_key_id_t key)
{
    struct corral_key *slot;
    psa_status_t status = PSA_SUCCESS;

    if (key == PSA_KEY_ID_NULL) {
        return PSA_SUCCESS;
    }
    if (CORRAL_PERSISTENT_KEYS && corral_id_is_persistent(key)) {
        return corral_persistent_destroy(key);
    }
    if (corral_id_is_builtin(key)) {
        return corral_builtin_key_slot(key) != NULL ? PSA_ERROR_NOT_PERMITTED
                                                    : PSA_ERROR_INVALID_HANDLE;
    }
    status = corral_key_withdraw(key, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (!corral_attributes_are_local(&slot->attributes)) {
        status =
            corral_dispatch_destroy_key(&slot->attributes, corral_key_data(slot), slot->length);
        /* A driver without the entry point stores nothing in its element. */
        if (status == PSA_ERROR_NOT_SUPPORTED) {
            status = PSA_SUCCESS;
        }
    }
    if (status == PSA_SUCCESS) {
        corral_key_free_held(slot);
    } else {
        /* The element still has its key: the application can try again by the same identifier. */
        corral_key_revive(slot, key);
    }
    return status;
}

psa_status_t psa_purge_key(psa_key_id_t key)
{
    struct corral_key *slot;

    if (CORRAL_PERSISTENT_KEYS && corral_id_is_persistent(key)) {
        return corral_persistent_purge(key);
    }
    /* Volatile keys exist once, in their slot; there is no further copy to remove. */
    psa_status_t status = corral_key_hold(key, &slot);
    if (status == PSA_SUCCESS) {
        corral_key_release(slot);
    }
    return status;
}
