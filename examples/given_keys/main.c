/* SPDX-License-Identifier: Apache-2.0 */
/* A key that an element came with, found by its slot and by the name that the board gives it. */
#include <corral/builtin_keys.h>
#include <corral/locations.h>

#include "../show.h"

#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define BITS 256

static const uint8_t message[] = "open the valve";

/* An identifier for the key in the slot; destroying it leaves the key where it is. */
static psa_status_t attach(uint8_t slot, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, CORRAL_LOCATION_SE0));
    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_attach_key(&attributes, &slot, sizeof slot, key);
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
    psa_key_id_t attached = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, attach(9, &attached));
    status = THEN(status, sign(attached));
    (void)psa_destroy_key(attached); /* so that the slot is free for the other name */
    status = THEN(status, sign(CORRAL_KEY_IDENTITY));
    return show_end(status);
}
