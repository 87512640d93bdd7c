/* SPDX-License-Identifier: Apache-2.0 */
#include "object.h"

#include "object_format.h"

/* Header parameters and their values (RFC 9052, 3.1; RFC 8428, 12.5). */
#define ALGORITHM 1
#define CONTENT_TYPE 3
#define CONTENT_SENML_CBOR 112

/* The protected header, as the string that it is. */
static void write_protected(struct corral_cbor *writer, int32_t algorithm, bool is_reading)
{
    corral_cbor_head(writer, CORRAL_CBOR_BYTES, is_reading ? 6 : 3);
    corral_cbor_head(writer, CORRAL_CBOR_MAP, is_reading ? 2 : 1);
    corral_cbor_int(writer, ALGORITHM);
    corral_cbor_int(writer, algorithm);
    if (is_reading) {
        corral_cbor_int(writer, CONTENT_TYPE);
        corral_cbor_int(writer, CONTENT_SENML_CBOR);
    }
}

static void write_external(struct corral_cbor *writer, const uint8_t id[FLEET_IDENTITY_SIZE],
                           const struct fleet_object *object)
{
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, 4);
    corral_cbor_text(writer, object->purpose);
    corral_cbor_bytes(writer, id, FLEET_IDENTITY_SIZE);
    corral_cbor_raw(writer, object->bound, object->bound_length);
    corral_cbor_head(writer, CORRAL_CBOR_UNSIGNED, object->number);
}

void fleet_object_write_signed(struct corral_cbor *writer, int32_t algorithm,
                               const uint8_t id[FLEET_IDENTITY_SIZE],
                               const struct fleet_object *object)
{
    struct corral_cbor counter;

    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, 4);
    corral_cbor_text(writer, "Signature1");
    write_protected(writer, algorithm, object->is_reading);
    corral_cbor_begin(&counter, NULL, SIZE_MAX);
    write_external(&counter, id, object);
    corral_cbor_head(writer, CORRAL_CBOR_BYTES, counter.length);
    write_external(writer, id, object);
    corral_cbor_bytes(writer, object->payload, object->payload_length);
}

static void write_number(struct corral_cbor *writer, uint64_t number, bool is_full)
{
    uint8_t bytes[8];

    for (uint8_t i = sizeof bytes; i > 0; i--) {
        bytes[i - 1] = (uint8_t)number;
        number >>= 8;
    }
    corral_cbor_bytes(writer, is_full ? bytes : bytes + 6, is_full ? 8 : 2);
}

static void write_object(struct corral_cbor *writer, int32_t algorithm,
                         const struct fleet_object *object, const uint8_t *signature)
{
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, 4);
    write_protected(writer, algorithm, object->is_reading);
    corral_cbor_head(writer, CORRAL_CBOR_MAP, 1);
    corral_cbor_int(writer, NUMBER);
    write_number(writer, object->number, object->is_full);
    corral_cbor_bytes(writer, object->payload, object->payload_length);
    corral_cbor_bytes(writer, signature, FLEET_SIGNATURE_SIZE);
}

psa_status_t fleet_object_sign(const struct fleet_identity *identity,
                               const struct fleet_object *object, uint8_t *output, size_t size,
                               size_t *length)
{
    const struct fleet_profile *profile = identity->profile;
    const psa_algorithm_t alg = fleet_key_algorithm(profile->signing, profile->location);
    const int32_t algorithm = profile->signing == FLEET_ED25519 ? ALGORITHM_EDDSA : ALGORITHM_ES256;
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
    *length = writer.is_full ? 0 : writer.length;
    return writer.is_full ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS;
}
