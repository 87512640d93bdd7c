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

bool fleet_key_has_small_order(const uint8_t point[FLEET_COORDINATE_SIZE])
{
    /* Both of order 8, without the sign, which is the highest bit. */
    static const uint8_t order_8[2][FLEET_COORDINATE_SIZE] = {
        {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
         0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
         0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
        {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
         0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
         0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
    };
    const uint8_t last = point[FLEET_COORDINATE_SIZE - 1] & 0x7fu;
    uint8_t any = last;
    uint8_t all = last | 0x80u;

    for (size_t i = 0; i < 2; i++) {
        if (memcmp(point, order_8[i], FLEET_COORDINATE_SIZE - 1) == 0 &&
            last == order_8[i][FLEET_COORDINATE_SIZE - 1]) {
            return true;
        }
    }
    for (size_t i = 1; i < FLEET_COORDINATE_SIZE - 1; i++) {
        any |= point[i];
        all &= point[i];
    }
    /* 0 and 1; one less than the prime, the prime, and one more. */
    return (any == 0 && point[0] <= 1) || (all == 0xff && point[0] >= 0xec && point[0] <= 0xee);
}
