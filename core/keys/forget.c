/* SPDX-License-Identifier: Apache-2.0 */
#include "forget.h"

#include "pool.h"

/* In the identifier of a key that its element has kept: in no pool, so it is never found. */
#define KEPT UINT32_C(0x80000000)

/*
 * The key leaves its slot. A key that its element keeps still counts for its owner.
 * Otherwise a client could fill all slots by being forgotten again and again.
 */
static psa_status_t forget(struct corral_key *key)
{
    const psa_key_id_t id = key->attributes.id;
    const psa_status_t status =
        corral_key_is_persistent(key) ? psa_purge_key(id) : psa_destroy_key(id);

    if (status != PSA_SUCCESS) {
        key->attributes.id |= KEPT;
    }
    return status;
}

/* The element is asked again, as if the key's owner were forgotten now. */
static void forget_again(struct corral_key *key)
{
    const corral_owner_t before = corral_owner_become(key->number.words[CORRAL_OWNER_WORD]);

    key->attributes.id &= ~KEPT;
    (void)forget(key);
    (void)corral_owner_become(before);
}

psa_status_t corral_keys_forget(void)
{
    psa_status_t result = PSA_SUCCESS;
    struct corral_key *key;

    for (size_t index = 0; (key = corral_key_at(index)) != NULL; index++) {
        if (key->state != CORRAL_KEY_READY) {
            continue;
        }
        if ((key->attributes.id & KEPT) != 0) {
            forget_again(key);
        } else if (corral_key_is_mine(key)) {
            const psa_status_t status = forget(key);
            result = result == PSA_SUCCESS ? status : result;
        }
    }
    return result;
}
