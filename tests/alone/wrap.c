/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

/* The key wraps itself: no other type is there. */
bool use(void)
{
    psa_key_attributes_t attributes;
    psa_key_id_t key;
    psa_key_id_t other;
    uint8_t wrapped[48];
    size_t length;

    return create(PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP | PSA_KEY_USAGE_EXPORT, &key) &&
           DID(psa_wrap_key(key, ALG, key, wrapped, sizeof wrapped, &length)) &&
           DID(psa_get_key_attributes(key, &attributes)) &&
           DID(psa_unwrap_key(&attributes, key, ALG, wrapped, length, &other)) &&
           DID(psa_destroy_key(other)) && DID(psa_destroy_key(key));
}
