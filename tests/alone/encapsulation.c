/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

static uint8_t ciphertext[PSA_ENCAPSULATE_CIPHERTEXT_MAX_SIZE];

bool use(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    psa_key_id_t ours;
    psa_key_id_t theirs;
    uint8_t secrets[2][66]; /* of P-521 the longest */
    size_t lengths[2];
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    return create(PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, &key) &&
           DID(psa_encapsulate(key, ALG, &attributes, &ours, ciphertext, sizeof ciphertext,
                               &length)) &&
           DID(psa_decapsulate(key, ALG, ciphertext, length, &attributes, &theirs)) &&
           DID(psa_export_key(ours, secrets[0], sizeof secrets[0], &lengths[0])) &&
           DID(psa_export_key(theirs, secrets[1], sizeof secrets[1], &lengths[1])) &&
           HOLDS(lengths[0] != 0 && lengths[0] == lengths[1]) &&
           HOLDS(memcmp(secrets[0], secrets[1], lengths[0]) == 0) && DID(psa_destroy_key(theirs)) &&
           DID(psa_destroy_key(ours)) && DID(psa_destroy_key(key));
}
