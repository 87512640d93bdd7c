/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

static const uint8_t message[] = "secret";
static uint8_t sealed[1024];
static uint8_t text[1024];

bool use(void)
{
    psa_key_id_t key;
    size_t length;

    return create(PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, &key) &&
           DID(psa_asymmetric_encrypt(key, ALG, message, sizeof message, NULL, 0, sealed,
                                      sizeof sealed, &length)) &&
           DID(psa_asymmetric_decrypt(key, ALG, sealed, length, NULL, 0, text, sizeof text,
                                      &length)) &&
           HOLDS(length == sizeof message && memcmp(text, message, length) == 0) &&
           DID(psa_destroy_key(key));
}
