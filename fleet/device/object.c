/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include "object_format.h"

#define EXTERNAL_HEAD 2u /* bytes: its length is never below 24, and is one byte */

/* The protected header, as the string that it is: of a reading with its content type, 112
 * (RFC 9052, 3.1; RFC 8428, 12.5). */
static void write_protected(struct corral_cbor *writer, uint8_t algorithm, bool is_reading)
{
    uint8_t bytes[] = {0x46, 0xa2, 0x01, algorithm, 0x03, 0x18, 112};

    if (!is_reading) {
        bytes[0] = 0x43;
        bytes[1] = 0xa1;
    }
    corral_cbor_raw(writer, bytes, is_reading ? 7 : 4);
}

void fleet_object_write_signed(struct corral_cbor *writer, uint8_t algorithm,
                               const uint8_t id[FLEET_IDENTITY_SIZE],
                               const struct fleet_object *object)
{
    static const uint8_t head[] = "\x84jSignature1";
    static const uint8_t external_head[] = {0x58, 0, 0x84};

    corral_cbor_raw(writer, head, sizeof head - 1);
    write_protected(writer, algorithm, object->is_reading);
    const size_t begin = writer->length + EXTERNAL_HEAD;
    corral_cbor_raw(writer, external_head, sizeof external_head);
    corral_cbor_text(writer, object->purpose);
    corral_cbor_bytes(writer, id, FLEET_IDENTITY_SIZE);
    corral_cbor_raw(writer, object->bound, object->bound_length);
    corral_cbor_long(writer, fleet_number_read(object->number.bytes));
    if (!writer->is_full) {
        writer->data[begin - 1] = (uint8_t)(writer->length - begin);
    }
    corral_cbor_bytes(writer, object->payload, object->payload_length);
}

static void write_object(struct corral_cbor *writer, uint8_t algorithm,
                         const struct fleet_object *object, const uint8_t *signature)
{
    const uint8_t left_out = object->is_short ? 6 : 0;
    const uint8_t before[] = {0xa1, NUMBER, (uint8_t)(EIGHT_BYTES - left_out)};

    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, 4);
    write_protected(writer, algorithm, object->is_reading);
    corral_cbor_raw(writer, before, sizeof before);
    corral_cbor_raw(writer, object->number.bytes + left_out, FLEET_NUMBER_SIZE - left_out);
    corral_cbor_bytes(writer, object->payload, object->payload_length);
    corral_cbor_bytes(writer, signature, FLEET_SIGNATURE_SIZE);
}

psa_status_t fleet_object_sign(const struct fleet_identity *identity,
                               const struct fleet_object *object, uint8_t *output, size_t size,
                               size_t *length)
{
    const struct fleet_profile *profile = identity->profile;
    const psa_algorithm_t alg = fleet_key_algorithm(profile->signing, profile->location);
    const uint8_t algorithm = profile->signing == FLEET_ED25519 ? ALGORITHM_EDDSA : ALGORITHM_ES256;
    uint8_t signature[FLEET_SIGNATURE_SIZE];
    struct corral_cbor writer;
    size_t signature_length;

    *length = 0;
    corral_cbor_begin(&writer, output, size);
    fleet_object_write_signed(&writer, algorithm, identity->id, object);
    if (writer.is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status =
        psa_sign_message(fleet_identity_key(identity), alg, output, writer.length, signature,
                         sizeof signature, &signature_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_cbor_begin(&writer, output, size);
    write_object(&writer, algorithm, object, signature);
    if (writer.is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *length = writer.length;
    return PSA_SUCCESS;
}
