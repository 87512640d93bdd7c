/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

static const uint8_t message[] = "to be sealed";
static const uint8_t nonce[24] = {4, 5, 6};

bool use(void)
{
    const size_t nonce_length = PSA_AEAD_NONCE_LENGTH(TYPE, ALG);
    psa_key_id_t key;
    uint8_t sealed[sizeof message + 16];
    uint8_t text[sizeof message];
    size_t length;

    return create(PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, &key) &&
           DID(psa_aead_encrypt(key, ALG, nonce, nonce_length, nonce, 3, message, sizeof message,
                                sealed, sizeof sealed, &length)) &&
           HOLDS(length == sizeof sealed) &&
           DID(psa_aead_decrypt(key, ALG, nonce, nonce_length, nonce, 3, sealed, length, text,
                                sizeof text, &length)) &&
           HOLDS(length == sizeof message && memcmp(text, message, length) == 0) &&
           DID(psa_destroy_key(key));
}
