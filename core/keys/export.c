/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include <corral/dispatch/key.h>

#include "../common/output.h"
#include "hold.h"

static psa_status_t copy_out(const uint8_t *key_data, size_t key_length, uint8_t *data,
                             size_t data_size, size_t *data_length)
{
    if (data_size < key_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_copy(data, key_data, key_length);
    *data_length = key_length;
    return PSA_SUCCESS;
}

/* The public key of a local key in memory: the key itself, or the bytes behind the private key. */
static const uint8_t *find_public(struct corral_key *key, size_t *length)
{
    const uint8_t *data = corral_key_data(key);

    *length = key->length;
    if (!PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)) {
        data += key->length;
        *length = key->public_length;
    }
    return data;
}

psa_status_t corral_export_public(struct corral_key *key, uint8_t *data, size_t data_size,
                                  size_t *data_length)
{
    if (corral_attributes_are_local(&key->attributes)) {
        size_t length;
        const uint8_t *found = find_public(key, &length);
        if (length > 0) {
            return copy_out(found, length, data, data_size, data_length);
        }
    }
    psa_status_t status = corral_dispatch_export_public_key(
        &key->attributes, corral_key_data(key), key->length, data, data_size, data_length);
    return corral_output_done(status, data, data_size, data_length);
}

psa_status_t corral_export_whole(struct corral_key *key, uint8_t *data, size_t data_size,
                                 size_t *data_length)
{
    uint8_t *key_data = corral_key_data(key);

    if (corral_attributes_are_local(&key->attributes)) {
        return copy_out(key_data, key->length, data, data_size, data_length);
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)) {
        return corral_export_public(key, data, data_size, data_length);
    }
    psa_status_t status = corral_dispatch_export_key(&key->attributes, key_data, key->length, data,
                                                     data_size, data_length);
    return corral_output_done(status, data, data_size, data_length);
}

psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length)
{
    struct corral_key *slot;

    *data_length = 0;
    psa_status_t status = corral_key_hold(key, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* A public key needs no permission to be exported. */
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(slot->attributes.type) ||
        (slot->attributes.usage & PSA_KEY_USAGE_EXPORT) != 0) {
        status = corral_export_whole(slot, data, data_size, data_length);
    } else {
        status = PSA_ERROR_NOT_PERMITTED;
    }
    corral_key_release(slot);
    return status;
}

psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length)
{
    struct corral_key *slot;

    *data_length = 0;
    psa_status_t status = corral_key_hold(key, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = PSA_KEY_TYPE_IS_ASYMMETRIC(slot->attributes.type)
                 ? corral_export_public(slot, data, data_size, data_length)
                 : PSA_ERROR_INVALID_ARGUMENT;
    corral_key_release(slot);
    return status;
}
