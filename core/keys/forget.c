/* SPDX-License-Identifier: Apache-2.0 */
#include "forget.h"

#include "pool.h"

/* The key leaves its slot; one that its element keeps is nobody's from now on. */
static psa_status_t forget(struct corral_key *key)
{
    const psa_key_id_t id = key->attributes.id;
    const psa_status_t status =
        corral_key_is_persistent(key) ? psa_purge_key(id) : psa_destroy_key(id);

    if (status != PSA_SUCCESS) {
        key->number.words[CORRAL_OWNER_WORD] = CORRAL_OWNER_NOBODY;
    }
    return status;
}

psa_status_t corral_keys_forget(void)
{
    psa_status_t result = PSA_SUCCESS;
    struct corral_key *key;

    for (size_t index = 0; (key = corral_key_at(index)) != NULL; index++) {
        if (key->state == CORRAL_KEY_READY && corral_key_is_mine(key)) {
            const psa_status_t status = forget(key);
            result = result == PSA_SUCCESS ? status : result;
        }
    }
    return result;
}
