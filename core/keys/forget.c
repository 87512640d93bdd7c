/* SPDX-License-Identifier: Apache-2.0 */
#include "forget.h"

#include "pool.h"

psa_status_t corral_keys_forget(void)
{
    psa_status_t result = PSA_SUCCESS;
    const struct corral_key *key;

    for (size_t index = 0; (key = corral_key_at(index)) != NULL; index++) {
        if (key->state == CORRAL_KEY_READY && corral_key_is_mine(key)) {
            const psa_status_t status = psa_destroy_key(key->attributes.id);
            result = result == PSA_SUCCESS ? status : result;
        }
    }
    return result;
}
