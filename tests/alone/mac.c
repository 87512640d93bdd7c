/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

/* Whole blocks: CBC-MAC takes no others. */
static const uint8_t message[48] = "to be authenticated";

bool use(void)
{
    const psa_algorithm_t shorter = PSA_ALG_TRUNCATED_MAC(ALG, 8);
    psa_key_id_t key;
    uint8_t mac[PSA_MAC_MAX_SIZE];
    size_t length;

    return create(PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE, &key) &&
           DID(psa_mac_compute(key, ALG, message, sizeof message, mac, sizeof mac, &length)) &&
           DID(psa_mac_verify(key, ALG, message, sizeof message, mac, length)) &&
           HOLDS(length == PSA_MAC_LENGTH(TYPE, BITS, ALG)) &&
           DID(psa_mac_compute(key, shorter, message, sizeof message, mac, sizeof mac, &length)) &&
           HOLDS(length == 8) && DID(psa_destroy_key(key));
}
