/* SPDX-License-Identifier: Apache-2.0 */
#include "builtin.h"

#include <corral/lock.h>

#include "../common/initialised.h"
#include "attach.h"
#include "pool.h"

#if CORRAL_BUILTIN_KEY_COUNT == 0
/* Nobody reads it then; but sanitizers keep, and so link, what nobody calls. */
const struct corral_builtin_key corral_builtin_keys[1];
#endif

static bool is_loaded(const struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    const bool is_ready = key->state == CORRAL_KEY_READY;
    corral_lock_leave(CORRAL_LOCK_CORE);
    return is_ready;
}

/* Fill the slot; nobody else finds it meanwhile, or writes to it. */
static psa_status_t fill(struct corral_key *key, const struct corral_builtin_key *builtin)
{
    key->attributes.type = builtin->type;
    key->attributes.algorithm = builtin->algorithm;
    key->attributes.usage = builtin->usage;
    key->attributes.lifetime = PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
        PSA_KEY_PERSISTENCE_READ_ONLY, builtin->location);
    psa_status_t status = corral_attach(key, builtin->label, builtin->label_length);
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_INVALID_HANDLE : status;
}

psa_status_t corral_builtin_key_load(psa_key_id_t id)
{
    psa_status_t status = PSA_SUCCESS;
    struct corral_key *key = corral_builtin_key_slot(id);

    if (key == NULL) {
        return PSA_ERROR_INVALID_HANDLE;
    }
    if (is_loaded(key)) {
        return PSA_SUCCESS;
    }
    if (!corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE; /* nor is its driver */
    }
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    /* Another thread may have loaded it meanwhile. */
    if (!is_loaded(key)) {
        status = fill(key, &corral_builtin_keys[corral_builtin_key_index(id)]);
        if (status == PSA_SUCCESS) {
            corral_key_publish_as(key, id);
        } else {
            corral_key_free(key);
        }
    }
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}
