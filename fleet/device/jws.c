/* SPDX-License-Identifier: Apache-2.0 */
#include "jws.h"

#include "text.h"

#define HEADER_SIZE 124u

void fleet_base64url_write(struct corral_cbor *writer, const uint8_t *data, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    while (length > 0) {
        const size_t taken = length < 3 ? length : 3;
        uint32_t bits = 0;
        uint8_t text[4];

        for (uint8_t i = 0; i < 3; i++) {
            bits = bits << 8 | (i < taken ? data[i] : 0u);
        }
        for (uint8_t i = 0; i < sizeof text; i++) {
            text[i] = (uint8_t)digits[bits >> (18 - 6 * i) & 63u];
        }
        corral_cbor_raw(writer, text, taken + 1u);
        data += taken;
        length -= taken;
    }
}

psa_status_t fleet_jws_sign_under(const struct fleet_identity *identity,
                                  const struct corral_cbor *header, const uint8_t *payload,
                                  size_t payload_length, uint8_t *output, size_t size,
                                  size_t *length)
{
    const struct fleet_profile *profile = identity->profile;
    psa_status_t status = PSA_ERROR_BUFFER_TOO_SMALL;
    uint8_t signature[FLEET_SIGNATURE_SIZE];
    struct corral_cbor writer;
    size_t signed_length;

    corral_cbor_begin(&writer, output, size);
    fleet_base64url_write(&writer, header->data, header->length);
    fleet_text_write(&writer, ".");
    fleet_base64url_write(&writer, payload, payload_length);
    if (!writer.is_full) {
        status = psa_sign_message(fleet_identity_key(identity),
                                  fleet_key_algorithm(profile->signing, profile->location), output,
                                  writer.length, signature, sizeof signature, &signed_length);
    }
    if (status == PSA_SUCCESS) {
        fleet_text_write(&writer, ".");
        fleet_base64url_write(&writer, signature, sizeof signature);
        status = writer.is_full ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS;
    }
    *length = status == PSA_SUCCESS ? writer.length : 0;
    return status;
}

psa_status_t fleet_jws_sign(const struct fleet_identity *identity,
                            const struct fleet_object *object, uint8_t *output, size_t size,
                            size_t *length)
{
    char id[2u * FLEET_IDENTITY_SIZE + 1u];
    uint8_t bytes[HEADER_SIZE];
    struct corral_cbor header;

    fleet_identity_text(identity, id);
    corral_cbor_begin(&header, bytes, sizeof bytes);
    fleet_text_write(&header, "{\"alg\":\"");
    fleet_text_write(&header, identity->profile->signing == FLEET_ED25519 ? "EdDSA" : "ES256");
    fleet_text_write(&header, "\",\"cty\":\"senml+json\",\"kid\":\"");
    fleet_text_write(&header, id);
    fleet_text_write(&header, "\",\"sn\":\"");
    for (uint8_t i = 0; i < FLEET_NUMBER_SIZE; i++) {
        fleet_text_hex(&header, object->number.bytes[i]);
    }
    fleet_text_write(&header, "\",\"typ\":\"cf1-reading\"}");
    return fleet_jws_sign_under(identity, &header, object->payload, object->payload_length, output,
                                size, length);
}
