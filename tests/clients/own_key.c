/* SPDX-License-Identifier: Apache-2.0 */
#include "own_key.h"

#include <string.h>

#include <corral/builtin_keys.h>
#include <corral/locations.h>

psa_status_t own_key_make(const char *place, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    if (strcmp(place, "builtin") == 0) {
        *key = CORRAL_KEY_IDENTITY;
        return PSA_SUCCESS;
    }
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    if (strcmp(place, "element") == 0) {
        psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                              PSA_KEY_PERSISTENCE_VOLATILE, CORRAL_LOCATION_SE0));
    }
    return psa_generate_key(&attributes, key);
}
