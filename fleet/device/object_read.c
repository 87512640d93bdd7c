/* SPDX-License-Identifier: Apache-2.0 */
#include "object_read.h"

#include <string.h>

#include "object_format.h"

#if FLEET_OBEYS

#define TAG_OF_SIGN1 0xd2u

/* A key that the build cannot verify with is as good as none. */
#ifdef PSA_WANT_ALG_PURE_EDDSA
#define VERIFIES_ED25519 true
#else
#define VERIFIES_ED25519 false
#endif

#define POINT_UNCOMPRESSED 0x04u

/* The bytes before the algorithm, the signer's identity, the number behind it or
 * without it, and the signature: all parts that are not the signer's own. */
static const uint8_t before_algorithm[] = {0x84, 0x43, 0xa1, 0x01};
static const uint8_t before_signer[] = {0xa2, 0x04, 0x50};
static const uint8_t before_number[] = {0xa1, NUMBER, EIGHT_BYTES};
static const uint8_t before_signature[] = {0x58, FLEET_SIGNATURE_SIZE};

bool fleet_object_read(const uint8_t *data, size_t length, struct fleet_received *received)
{
    struct fleet_cbor_source source = {data, length};
    struct fleet_cbor_item payload;

    if (length > 0 && *data == TAG_OF_SIGN1) {
        source = (struct fleet_cbor_source){data + 1, length - 1};
    }
    received->bare = source;
    const uint8_t *algorithm =
        fleet_cbor_behind(&source, before_algorithm, sizeof before_algorithm, 1);
    if (algorithm == NULL) {
        return false;
    }
    received->algorithm = *algorithm;
    received->signer =
        fleet_cbor_behind(&source, before_signer, sizeof before_signer, FLEET_IDENTITY_SIZE);
    const uint8_t is_second = received->signer != NULL; /* number, in a map that began before */
    received->number =
        fleet_cbor_behind(&source, before_number + is_second,
                          (uint8_t)(sizeof before_number - is_second), FLEET_NUMBER_SIZE);
    if (received->number == NULL || !fleet_cbor_take(&source, &payload) ||
        payload.kind != CORRAL_CBOR_BYTES) {
        return false;
    }
    received->payload = (struct fleet_cbor_source){payload.content, (size_t)payload.argument};
    received->signature =
        fleet_cbor_behind(&source, before_signature, sizeof before_signature, FLEET_SIGNATURE_SIZE);
    return received->signature != NULL && source.length == 0;
}

/* Take up a COSE_Key to verify with; PSA_ERROR_INVALID_SIGNATURE if it is not of the algorithm, or
 * has small order, which libraries decide about in different ways. */
static psa_status_t import(struct fleet_cbor_source key, uint8_t algorithm, psa_algorithm_t *alg,
                           psa_key_id_t *imported)
{
    const bool is_p256 = algorithm == ALGORITHM_ES256 || algorithm == ALGORITHM_ESP256;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t point[1u + 2u * FLEET_COORDINATE_SIZE];
    const uint8_t *y = NULL;

    if (!is_p256 &&
        (!VERIFIES_ED25519 || (algorithm != ALGORITHM_EDDSA && algorithm != ALGORITHM_ED25519))) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    const uint8_t *x =
        fleet_cbor_behind(&key, fleet_key_before_x(is_p256 ? FLEET_P256 : FLEET_ED25519),
                          FLEET_BEFORE_X_SIZE, FLEET_COORDINATE_SIZE);
    if (is_p256) {
        y = fleet_cbor_behind(&key, fleet_key_before_y, sizeof fleet_key_before_y,
                              FLEET_COORDINATE_SIZE);
    }
    if (x == NULL || key.length > 0 || (is_p256 && y == NULL)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    if (VERIFIES_ED25519 && !is_p256 && fleet_key_has_small_order(x)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    point[0] = POINT_UNCOMPRESSED;
    memcpy(point + 1, x, FLEET_COORDINATE_SIZE);
    *alg = PSA_ALG_PURE_EDDSA;
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS));
    if (is_p256) {
        memcpy(point + 1 + FLEET_COORDINATE_SIZE, y, FLEET_COORDINATE_SIZE);
        *alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
        psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    }
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_set_key_algorithm(&attributes, *alg);
    return is_p256 ? psa_import_key(&attributes, point, sizeof point, imported)
                   : psa_import_key(&attributes, point + 1, FLEET_COORDINATE_SIZE, imported);
}

psa_status_t fleet_object_verify(const struct fleet_received *received, const char *purpose,
                                 const uint8_t id[FLEET_IDENTITY_SIZE],
                                 const struct corral_cbor *bound,
                                 const struct fleet_cbor_source *key, uint8_t *scratch, size_t size)
{
    struct fleet_object object = {.purpose = purpose,
                                  .bound = bound->data,
                                  .bound_length = bound->length,
                                  .payload = received->payload.data,
                                  .payload_length = received->payload.length};
    struct corral_cbor writer;
    psa_algorithm_t alg;
    psa_key_id_t imported;

    memcpy(&object.number, received->number, sizeof object.number);
    corral_cbor_begin(&writer, scratch, size);
    fleet_object_write_signed(&writer, received->algorithm, id, &object);
    if (writer.is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = import(*key, received->algorithm, &alg, &imported);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (VERIFIES_ED25519 && alg == PSA_ALG_PURE_EDDSA &&
        fleet_key_has_small_order(received->signature)) { /* its first half is a point, too */
        (void)psa_destroy_key(imported);
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    status = psa_verify_message(imported, alg, scratch, writer.length, received->signature,
                                FLEET_SIGNATURE_SIZE);
    const psa_status_t destroyed = psa_destroy_key(imported);
    return status != PSA_SUCCESS ? status : destroyed;
}

#endif
