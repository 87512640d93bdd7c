/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#define COORDINATE_SIZE 32u
#define PUBLIC_MAX_SIZE (1u + 2u * COORDINATE_SIZE)

/* Labels and values of COSE_Key (RFC 9052, 7; RFC 9053, 7). */
#define KTY 1
#define KTY_OKP 1
#define KTY_EC2 2
#define CRV (-1)
#define CRV_P256 1
#define CRV_X25519 4
#define CRV_ED25519 6
#define X (-2)
#define Y (-3)

static psa_key_type_t type_of(enum fleet_curve curve)
{
    switch (curve) {
    case FLEET_ED25519:
        return PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS);
    case FLEET_X25519:
        return PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY);
    default:
        return PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
    }
}

psa_status_t fleet_key_make(psa_key_id_t key, enum fleet_curve curve, bool is_for_agreement,
                            psa_key_location_t location)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t made;

    psa_set_key_type(&attributes, type_of(curve));
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

static void write_coordinate(struct corral_cbor *writer, int32_t label, const uint8_t *coordinate)
{
    corral_cbor_int(writer, label);
    corral_cbor_bytes(writer, coordinate, COORDINATE_SIZE);
}

psa_status_t fleet_key_write(psa_key_id_t key, enum fleet_curve curve, struct corral_cbor *writer)
{
    uint8_t public_key[PUBLIC_MAX_SIZE];
    size_t length;

    if (curve == FLEET_NO_KEY) {
        corral_cbor_null(writer);
        return PSA_SUCCESS;
    }
    const psa_status_t status = psa_export_public_key(key, public_key, sizeof public_key, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const bool is_p256 = curve == FLEET_P256;
    corral_cbor_head(writer, CORRAL_CBOR_MAP, is_p256 ? 4 : 3);
    corral_cbor_int(writer, KTY);
    corral_cbor_int(writer, is_p256 ? KTY_EC2 : KTY_OKP);
    corral_cbor_int(writer, CRV);
    corral_cbor_int(writer, is_p256 ? CRV_P256 : curve == FLEET_X25519 ? CRV_X25519 : CRV_ED25519);
    write_coordinate(writer, X, is_p256 ? public_key + 1 : public_key);
    if (is_p256) {
        write_coordinate(writer, Y, public_key + 1 + COORDINATE_SIZE);
    }
    return PSA_SUCCESS;
}
