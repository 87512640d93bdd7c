/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

#define OTHERS PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)

static const uint8_t material[] = {MATERIAL};
static const uint8_t hash[32];
static const uint8_t forged[BITS / 8];
static uint8_t before[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
static uint8_t after[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];

static bool generate_other(psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, OTHERS);
    psa_set_key_bits(&attributes, 256);
    return DID(psa_generate_key(&attributes, key));
}

/* What fits a slot for single keys, called a pair: slots for pairs have less room. */
static bool refuse_pair(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(TYPE));
    return HOLDS(psa_import_key(&attributes, material, sizeof material, &key) ==
                 PSA_ERROR_INVALID_ARGUMENT);
}

/* Public keys whose pairs the build does not have, beside smaller pairs of another kind: of the
 * slots for these the first is free, and the next one stays as it is. */
bool use(void)
{
    psa_key_id_t first;
    psa_key_id_t next;
    psa_key_id_t key;
    size_t length;
    size_t again;

    return generate_other(&first) && generate_other(&next) &&
           DID(psa_export_public_key(next, before, sizeof before, &length)) &&
           DID(psa_destroy_key(first)) && refuse_pair() &&
           DID(psa_export_public_key(next, after, sizeof after, &again)) &&
           HOLDS(again == length && memcmp(after, before, length) == 0) &&
           create(PSA_KEY_USAGE_VERIFY_HASH, &key) &&
           HOLDS(psa_verify_hash(key, ALG, hash, sizeof hash, forged, sizeof forged) ==
                 PSA_ERROR_INVALID_SIGNATURE) &&
           DID(psa_destroy_key(key)) && DID(psa_destroy_key(next));
}
