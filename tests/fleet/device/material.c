/* SPDX-License-Identifier: Apache-2.0 */
#include "material.h"

#include <string.h>

#include "../../../fleet/device/handover.h"
#include "../../../fleet/device/object_read.h"
#include "../../persistent/device.h"

void material_key(psa_key_id_t id, psa_ecc_family_t family, psa_algorithm_t alg,
                  const uint8_t secret[32])
{
    psa_key_attributes_t attributes = device_attributes(
        id, PSA_KEY_TYPE_ECC_KEY_PAIR(family), family == PSA_ECC_FAMILY_SECP_R1 ? 256 : 255, alg,
        alg == PSA_ALG_ECDH ? PSA_KEY_USAGE_DERIVE : PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
    NEED(psa_import_key(&attributes, secret, 32, &key));
}

void material_remember(const struct fleet_identity *identity,
                       struct material_predecessor *predecessor)
{
    struct corral_cbor writer;

    memcpy(predecessor->id, identity->id, sizeof predecessor->id);
    corral_cbor_begin(&writer, predecessor->key, sizeof predecessor->key);
    NEED(fleet_key_write(fleet_identity_key(identity), identity->profile->signing, &writer));
    REQUIRE(!writer.is_full);
    predecessor->key_length = writer.length;
}

/* Whether a statement is that of the identity, and nothing else. */
static bool states(const struct fleet_cbor_source *payload, const struct fleet_identity *identity)
{
    uint8_t statement[300];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, statement, sizeof statement);
    corral_cbor_head(&writer, CORRAL_CBOR_MAP, 3);
    NEED(fleet_identity_write(identity, true, &writer));
    return writer.length == payload->length && memcmp(payload->data, statement, writer.length) == 0;
}

uint64_t material_handover(const struct material_predecessor *predecessor,
                           const struct fleet_identity *successor, const uint8_t *object,
                           size_t length)
{
    const struct fleet_cbor_source key = {predecessor->key, predecessor->key_length};
    uint8_t named[1 + FLEET_IDENTITY_SIZE];
    struct fleet_received received;
    struct corral_cbor bound;
    uint8_t scratch[400];

    corral_cbor_begin(&bound, named, sizeof named);
    corral_cbor_bytes(&bound, successor->id, FLEET_IDENTITY_SIZE);
    if (!fleet_object_read(object, length, &received) || received.signer == NULL ||
        memcmp(received.signer, predecessor->id, FLEET_IDENTITY_SIZE) != 0 ||
        !states(&received.payload, successor) ||
        fleet_object_verify(&received, FLEET_HANDOVER, predecessor->id, &bound, &key, scratch,
                            sizeof scratch) != PSA_SUCCESS) {
        return 0;
    }
    return fleet_number_read(received.number);
}
