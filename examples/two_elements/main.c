/* SPDX-License-Identifier: Apache-2.0 */
/* The same calls for a key in this processor's memory and in each of two secure elements. */
#include <corral/locations.h>

#include "../show.h"

#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define BITS 256

static const uint8_t message[] = "open the valve";

/* The location is the one thing that differs. */
static psa_status_t generate(psa_key_location_t location, psa_key_id_t *pair)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, location));
    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_generate_key(&attributes, pair);
}

static psa_status_t sign(psa_key_id_t pair)
{
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PAIR, BITS)];
    uint8_t signature[PSA_SIGN_OUTPUT_SIZE(PAIR, BITS, ALG)];
    size_t point_length = 0;
    size_t length = 0;

    psa_status_t status = psa_export_public_key(pair, point, sizeof point, &point_length);
    status = THEN(status, psa_sign_message(pair, ALG, message, sizeof message - 1, signature,
                                           sizeof signature, &length));
    show("public", point, point_length);
    show("signature", signature, length);
    return status;
}

int main(void)
{
    static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                                   CORRAL_LOCATION_SE0, CORRAL_LOCATION_SE1};

    psa_status_t status = psa_crypto_init();
    for (unsigned i = 0; i < 3; i++) {
        psa_key_id_t pair = PSA_KEY_ID_NULL;

        status = THEN(status, generate(locations[i], &pair));
        status = THEN(status, sign(pair));
        (void)psa_destroy_key(pair);
    }
    return show_end(status);
}
