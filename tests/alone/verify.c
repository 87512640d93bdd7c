/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

static const uint8_t message[] = "signed by nobody";
static const uint8_t signature[4];

/* Schemes that are only verified: a forgery differs from an unsupported scheme. */
bool use(void)
{
    psa_key_id_t key;

    return create(PSA_KEY_USAGE_VERIFY_MESSAGE, &key) &&
           HOLDS(psa_verify_message(key, ALG, message, sizeof message, signature,
                                    sizeof signature) == PSA_ERROR_INVALID_SIGNATURE) &&
           DID(psa_destroy_key(key));
}
