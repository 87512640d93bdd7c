/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <string.h>

#define PUBLIC_MAX_SIZE (1u + 2u * FLEET_COORDINATE_SIZE)

const uint8_t fleet_key_before_y[3] = {0x22, 0x58, FLEET_COORDINATE_SIZE};

static const psa_ecc_family_t family[] = {
    [FLEET_P256] = PSA_ECC_FAMILY_SECP_R1,
    [FLEET_ED25519] = PSA_ECC_FAMILY_TWISTED_EDWARDS,
    [FLEET_X25519] = PSA_ECC_FAMILY_MONTGOMERY,
};

psa_status_t fleet_key_make(psa_key_id_t key, enum fleet_curve curve, bool is_for_agreement,
                            psa_key_location_t location)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t made;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(family[curve]));
    psa_set_key_bits(&attributes, curve == FLEET_P256 ? 256 : 255);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_DEFAULT, location));
    psa_set_key_id(&attributes, key);
    psa_set_key_algorithm(&attributes,
                          is_for_agreement ? PSA_ALG_ECDH : fleet_key_algorithm(curve, location));
    psa_set_key_usage_flags(&attributes,
                            is_for_agreement ? PSA_KEY_USAGE_DERIVE : PSA_KEY_USAGE_SIGN_MESSAGE);
    return psa_generate_key(&attributes, &made);
}

psa_status_t fleet_key_destroy(psa_key_id_t key)
{
    const psa_status_t status = psa_destroy_key(key);

    return status == PSA_ERROR_INVALID_HANDLE ? PSA_SUCCESS : status;
}

const uint8_t *fleet_key_before_x(enum fleet_curve curve)
{
    static const uint8_t before[][FLEET_BEFORE_X_SIZE] = {
        /* a map of four: EC2, with Y */
        {0xa4, 0x01, 0x02, 0x20, 0x01, 0x21, 0x58, FLEET_COORDINATE_SIZE},
        {0xa3, 0x01, 0x01, 0x20, 0x06, 0x21, 0x58, FLEET_COORDINATE_SIZE},
        {0xa3, 0x01, 0x01, 0x20, 0x04, 0x21, 0x58, FLEET_COORDINATE_SIZE},
    };

    return before[curve - FLEET_P256];
}

psa_status_t fleet_key_write(psa_key_id_t key, enum fleet_curve curve, struct corral_cbor *writer)
{
    uint8_t public_key[PUBLIC_MAX_SIZE];
    const uint8_t *coordinate = public_key;
    size_t length;

    if (curve == FLEET_NO_KEY) {
        corral_cbor_null(writer);
        return PSA_SUCCESS;
    }
    const psa_status_t status = psa_export_public_key(key, public_key, sizeof public_key, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_raw(writer, fleet_key_before_x(curve), FLEET_BEFORE_X_SIZE);
    if (curve == FLEET_P256) { /* the first byte says that both coordinates follow */
        corral_cbor_raw(writer, public_key + 1, FLEET_COORDINATE_SIZE);
        corral_cbor_raw(writer, fleet_key_before_y, sizeof fleet_key_before_y);
        coordinate += 1 + FLEET_COORDINATE_SIZE;
    }
    corral_cbor_raw(writer, coordinate, FLEET_COORDINATE_SIZE);
    return PSA_SUCCESS;
}
