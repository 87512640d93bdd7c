/* SPDX-License-Identifier: Apache-2.0 */
#include "public_half.h"

#include "export.h"

psa_status_t corral_public_half(struct corral_key *key, struct corral_public_half *half)
{
    size_t length = 0;

    if (!PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = corral_export_public(key, half->data, sizeof half->data, &length);
    half->key.attributes = key->attributes;
    half->key.attributes.type = PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(key->attributes.type);
    if (CORRAL_ELEMENT_COUNT > 0) { /* only this reads the location */
        half->key.attributes.lifetime = PSA_KEY_LIFETIME_VOLATILE;
    }
    half->key.length = (uint16_t)length;
    return status;
}
