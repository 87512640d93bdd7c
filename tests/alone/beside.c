/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

#define OTHERS PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)

static const uint8_t material[] = {MATERIAL};
/* The generator of P-256, whose coordinates are a token. */
static const uint8_t token[] = {
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
};
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

/* A key that fits a slot for single keys, named a pair: slots for pairs are smaller. */
static bool refuse_pair(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(TYPE));
    return HOLDS(psa_import_key(&attributes, material, sizeof material, &key) ==
                 PSA_ERROR_INVALID_ARGUMENT);
}

/* A password token, in a build whose core stores no symmetric keys itself. */
static bool refuse_token(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_set_key_algorithm(&attributes, ALG);
    return DID(psa_import_key(&attributes, token, sizeof token, &key)) &&
           HOLDS(psa_verify_hash(key, ALG, hash, sizeof hash, forged, sizeof forged) ==
                 PSA_ERROR_NOT_SUPPORTED) &&
           DID(psa_destroy_key(key));
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
           DID(psa_destroy_key(key)) && DID(psa_destroy_key(next)) && refuse_token();
}
