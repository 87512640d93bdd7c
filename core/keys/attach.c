/* SPDX-License-Identifier: Apache-2.0 */
#include "attach.h"

#include <corral/dispatch/key.h>

#include "../common/owner.h"
#include "create.h"

psa_status_t corral_attach(struct corral_key *key, const uint8_t *label, size_t label_length)
{
    psa_key_attributes_t found = key->attributes;
    const size_t context_size = corral_key_capacity(&key->attributes);
    size_t length = 0;

    psa_status_t status = corral_dispatch_attach_key(&found, label, label_length,
                                                     corral_key_data(key), context_size, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if ((key->attributes.bits != 0 && key->attributes.bits != found.bits) ||
        key->attributes.type != found.type) {
        /* The driver has it in its books by now. */
        (void)corral_dispatch_destroy_key(&found, corral_key_data(key), length);
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    key->attributes.bits = found.bits;
    key->attributes.usage &= found.usage;
    key->length = (uint16_t)length;
    return PSA_SUCCESS;
}

psa_status_t psa_attach_key(const psa_key_attributes_t *attributes, const uint8_t *label,
                            size_t label_length, psa_key_id_t *key)
{
    struct corral_key *slot;

    corral_no_key_yet(key);
    if (corral_owner_is_client()) {
        return PSA_ERROR_NOT_PERMITTED; /* a label says where a key is, not whose it is */
    }
    const psa_key_attributes_t wanted = corral_attributes_of(attributes);
    if (wanted.type == PSA_KEY_TYPE_NONE || !PSA_KEY_LIFETIME_IS_VOLATILE(wanted.lifetime)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_create_begin(&wanted, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* Local memory holds only keys that were put there. */
    status = corral_attributes_are_local(&wanted) ? PSA_ERROR_DOES_NOT_EXIST
                                                  : corral_attach(slot, label, label_length);
    return corral_create_end(slot, status, key);
}
