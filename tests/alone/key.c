/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

static uint8_t exported[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];

/* A pair gives its public key, which is a key of its own; other keys are created by themselves. */
bool use(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    psa_key_id_t other;
    size_t length;

    if (!create(PSA_KEY_USAGE_DERIVE, &key)) {
        return false;
    }
    if (PSA_KEY_TYPE_IS_KEY_PAIR(TYPE)) {
        psa_set_key_type(&attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(TYPE));
        psa_set_key_bits(&attributes, BITS);
        if (!DID(psa_export_public_key(key, exported, sizeof exported, &length)) ||
            !DID(psa_import_key(&attributes, exported, length, &other)) ||
            !DID(psa_destroy_key(other))) {
            return false;
        }
    }
    return DID(psa_destroy_key(key));
}
