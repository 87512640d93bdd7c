/* SPDX-License-Identifier: Apache-2.0 */
#include "hold.h"

psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold(key, &slot);
    if (status != PSA_SUCCESS) {
        *attributes = psa_key_attributes_init();
        return status;
    }
    *attributes = slot->attributes;
    corral_key_release(slot);
    return PSA_SUCCESS;
}
