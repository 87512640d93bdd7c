/* SPDX-License-Identifier: Apache-2.0 */
#include "object_read.h"

#include <string.h>

#include "object_format.h"

#if FLEET_OBEYS

#define TAG_OF_SIGN1 0xd2u
#define PROTECTED_SIZE 3u /* {1: algorithm} */
#define SIGNER 4u
#define NUMBER_SIZE 8u

/* A key that the build cannot verify with is as good as none. */
#ifdef PSA_WANT_ALG_PURE_EDDSA
#define VERIFIES_ED25519 true
#else
#define VERIFIES_ED25519 false
#endif

#define COORDINATE_SIZE 32u
#define POINT_UNCOMPRESSED 0x04u

/* What stands before the coordinates of a COSE_Key, and between them (PROTOCOL.md, 1). */
static const uint8_t p256_x[] = {0xa4, 0x01, 0x02, 0x20, 0x01, 0x21, 0x58, 0x20};
static const uint8_t p256_y[] = {0x22, 0x58, 0x20};
static const uint8_t ed25519_x[] = {0xa3, 0x01, 0x01, 0x20, 0x06, 0x21, 0x58, 0x20};

#define P256_Y (sizeof p256_x + COORDINATE_SIZE)
#define P256_SIZE (P256_Y + sizeof p256_y + COORDINATE_SIZE)
#define ED25519_SIZE (sizeof ed25519_x + COORDINATE_SIZE)

/* Take a string of this many bytes. NULL: it is another item. */
static const uint8_t *take_bytes(struct fleet_cbor_source *source, uint32_t length)
{
    struct fleet_cbor_item item;

    return fleet_cbor_take(source, &item) && item.kind == CORRAL_CBOR_BYTES &&
                   item.argument == length
               ? item.content
               : NULL;
}

static bool read_protected(struct fleet_cbor_source *source, struct fleet_received *received)
{
    const uint8_t *bytes = take_bytes(source, PROTECTED_SIZE);

    if (bytes == NULL || bytes[0] != 0xa1 || bytes[1] != 0x01) {
        return false;
    }
    received->algorithm = (int8_t)(-1 - (bytes[2] & 0x1f));
    return bytes[2] >> 5 == CORRAL_CBOR_NEGATIVE;
}

/* The unprotected header: the number, and before it perhaps who signed. */
static bool read_unprotected(struct fleet_cbor_source *source, struct fleet_received *received)
{
    struct fleet_cbor_item map;

    if (!fleet_cbor_take(source, &map) || map.kind != CORRAL_CBOR_MAP || map.argument < 1 ||
        map.argument > 2) {
        return false;
    }
    received->signer = NULL;
    if (map.argument == 2) {
        if (!fleet_cbor_expect(source, CORRAL_CBOR_UNSIGNED, SIGNER)) {
            return false;
        }
        received->signer = take_bytes(source, FLEET_IDENTITY_SIZE);
        if (received->signer == NULL) {
            return false;
        }
    }
    if (!fleet_cbor_expect(source, CORRAL_CBOR_UNSIGNED, NUMBER)) {
        return false;
    }
    const uint8_t *number = take_bytes(source, NUMBER_SIZE);
    received->number = 0;
    for (uint8_t i = 0; number != NULL && i < NUMBER_SIZE; i++) {
        received->number = received->number << 8 | number[i];
    }
    return number != NULL;
}

bool fleet_object_read(const uint8_t *data, size_t length, struct fleet_received *received)
{
    struct fleet_cbor_source source = {data, length};
    struct fleet_cbor_item payload;

    if (length > 0 && *data == TAG_OF_SIGN1) {
        source = (struct fleet_cbor_source){data + 1, length - 1};
    }
    received->bare = source;
    if (!fleet_cbor_expect(&source, CORRAL_CBOR_ARRAY, 4) || !read_protected(&source, received) ||
        !read_unprotected(&source, received) || !fleet_cbor_take(&source, &payload) ||
        payload.kind != CORRAL_CBOR_BYTES) {
        return false;
    }
    received->payload = (struct fleet_cbor_source){payload.content, (size_t)payload.argument};
    received->signature = take_bytes(&source, FLEET_SIGNATURE_SIZE);
    return received->signature != NULL && source.length == 0;
}

/* Take up a COSE_Key to verify with; PSA_ERROR_INVALID_SIGNATURE if it is not of the algorithm. */
static psa_status_t import(const struct fleet_cbor_source *key, int8_t algorithm,
                           psa_algorithm_t *alg, psa_key_id_t *imported)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t point[1u + 2u * COORDINATE_SIZE] = {POINT_UNCOMPRESSED};

    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    if (key->length == P256_SIZE && memcmp(key->data, p256_x, sizeof p256_x) == 0 &&
        memcmp(key->data + P256_Y, p256_y, sizeof p256_y) == 0 &&
        (algorithm == ALGORITHM_ES256 || algorithm == ALGORITHM_ESP256)) {
        *alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
        psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
        psa_set_key_algorithm(&attributes, *alg);
        memcpy(point + 1, key->data + sizeof p256_x, COORDINATE_SIZE);
        memcpy(point + 1 + COORDINATE_SIZE, key->data + P256_Y + sizeof p256_y, COORDINATE_SIZE);
        return psa_import_key(&attributes, point, sizeof point, imported);
    }
    if (VERIFIES_ED25519 && key->length == ED25519_SIZE &&
        memcmp(key->data, ed25519_x, sizeof ed25519_x) == 0 &&
        (algorithm == ALGORITHM_EDDSA || algorithm == ALGORITHM_ED25519)) {
        *alg = PSA_ALG_PURE_EDDSA;
        psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS));
        psa_set_key_algorithm(&attributes, *alg);
        return psa_import_key(&attributes, key->data + sizeof ed25519_x, COORDINATE_SIZE, imported);
    }
    return PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t fleet_object_verify(const struct fleet_received *received, const char *purpose,
                                 const uint8_t id[FLEET_IDENTITY_SIZE],
                                 const struct corral_cbor *bound,
                                 const struct fleet_cbor_source *key, uint8_t *scratch, size_t size)
{
    const struct fleet_object object = {purpose,
                                        bound->data,
                                        bound->length,
                                        received->payload.data,
                                        received->payload.length,
                                        received->number,
                                        false,
                                        true};
    struct corral_cbor writer;
    psa_algorithm_t alg;
    psa_key_id_t imported;

    corral_cbor_begin(&writer, scratch, size);
    fleet_object_write_signed(&writer, received->algorithm, id, &object);
    if (writer.is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = import(key, received->algorithm, &alg, &imported);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_verify_message(imported, alg, scratch, writer.length, received->signature,
                                FLEET_SIGNATURE_SIZE);
    const psa_status_t destroyed = psa_destroy_key(imported);
    return status != PSA_SUCCESS ? status : destroyed;
}

#endif
