/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

static uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
static uint8_t secret[PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE];

/* With itself; then the secret as a key, which has to fit. */
bool use(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    psa_key_id_t shared;
    size_t public_length;
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    return create(PSA_KEY_USAGE_DERIVE, &key) &&
           DID(psa_export_public_key(key, public_key, sizeof public_key, &public_length)) &&
           DID(psa_raw_key_agreement(ALG, key, public_key, public_length, secret, sizeof secret,
                                     &length)) &&
           HOLDS(length != 0) &&
           DID(psa_key_agreement(key, public_key, public_length, ALG, &attributes, &shared)) &&
           DID(psa_destroy_key(shared)) && DID(psa_destroy_key(key));
}
