/* SPDX-License-Identifier: Apache-2.0 */
#include "identity.h"

#include <string.h>

#include "sequence.h"

/* The entry that says which place counts: version, place, identity. */
#define RECORD 0u
#define RECORD_VERSION 1u
#define RECORD_SIZE (2u + FLEET_IDENTITY_SIZE)

/* FLEET_HASHED_AS, two keys and the kind, with their heads. */
#define HASHED_MAX_SIZE (1u + 7u + 2u * FLEET_KEY_MAX_SIZE + 2u + FLEET_KIND_MAX_SIZE)

static void number(struct corral_cbor *writer, bool is_map, int32_t label)
{
    if (is_map) {
        corral_cbor_int(writer, label);
    }
}

psa_status_t fleet_identity_write(const struct fleet_identity *identity, bool is_map,
                                  struct corral_cbor *writer)
{
    const struct fleet_profile *profile = identity->profile;

    number(writer, is_map, 1);
    const psa_status_t status =
        fleet_key_write(fleet_identity_key(identity), profile->signing, writer);
    if (status != PSA_SUCCESS) {
        return status;
    }
    number(writer, is_map, 2);
    corral_cbor_text(writer, profile->kind);
    number(writer, is_map, 3);
    return fleet_key_write(fleet_identity_agreement(identity), profile->agreement, writer);
}

void fleet_identity_copy(uint8_t to[FLEET_IDENTITY_SIZE], const uint8_t from[FLEET_IDENTITY_SIZE])
{
    memcpy(to, from, FLEET_IDENTITY_SIZE);
}

bool fleet_identity_is(const uint8_t one[FLEET_IDENTITY_SIZE],
                       const uint8_t other[FLEET_IDENTITY_SIZE])
{
    return memcmp(one, other, FLEET_IDENTITY_SIZE) == 0;
}

psa_status_t fleet_identity_digest(const uint8_t *data, size_t length,
                                   uint8_t digest[FLEET_DIGEST_SIZE])
{
    size_t written;

    return psa_hash_compute(PSA_ALG_SHA_256, data, length, digest, FLEET_DIGEST_SIZE, &written);
}

psa_status_t fleet_identity_hash(const struct corral_cbor *hashed, uint8_t id[FLEET_IDENTITY_SIZE])
{
    uint8_t hash[FLEET_DIGEST_SIZE];

    if (hashed->is_full) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = fleet_identity_digest(hashed->data, hashed->length, hash);
    if (status == PSA_SUCCESS) {
        fleet_identity_copy(id, hash);
    }
    return status;
}

/* The identity that the keys at identity->place have. */
static psa_status_t compute(const struct fleet_identity *identity, uint8_t id[FLEET_IDENTITY_SIZE])
{
    uint8_t hashed[HASHED_MAX_SIZE];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, hashed, sizeof hashed);
    corral_cbor_head(&writer, CORRAL_CBOR_ARRAY, 4);
    corral_cbor_text(&writer, FLEET_HASHED_AS);
    const psa_status_t status = fleet_identity_write(identity, false, &writer);
    return status == PSA_SUCCESS ? fleet_identity_hash(&writer, id) : status;
}

/* Destroy what is at the place that does not count, or will only. */
static psa_status_t clear(const struct fleet_identity *identity)
{
    psa_status_t status = fleet_key_destroy(fleet_identity_key(identity));

    if (status == PSA_SUCCESS) {
        status = fleet_key_destroy(fleet_identity_agreement(identity));
    }
    if (FLEET_PAIRING && status == PSA_SUCCESS) {
        status = fleet_key_destroy(fleet_identity_pairing(identity));
    }
    if (status == PSA_SUCCESS) {
        status = fleet_entry_remove(fleet_identity_sequence(identity));
    }
    if (FLEET_HANDS_OVER && status == PSA_SUCCESS) {
        status = fleet_entry_remove(fleet_identity_handover(identity));
    }
    return status;
}

/* Make keys and sequence at identity->place, which count for nothing yet. */
static psa_status_t make(struct fleet_identity *identity)
{
    const struct fleet_profile *profile = identity->profile;

    psa_status_t status = clear(identity);
    if (status == PSA_SUCCESS) {
        status = fleet_sequence_make(fleet_identity_sequence(identity));
    }
    if (status == PSA_SUCCESS) {
        status = fleet_key_make(fleet_identity_key(identity), profile->signing, false,
                                profile->location);
    }
    if (status == PSA_SUCCESS && profile->agreement != FLEET_NO_KEY) {
        status = fleet_key_make(fleet_identity_agreement(identity), profile->agreement, true,
                                profile->agreement_location);
    }
    return status == PSA_SUCCESS ? compute(identity, identity->id) : status;
}

static psa_status_t let_count(const struct fleet_identity *identity)
{
    uint8_t record[RECORD_SIZE];

    record[0] = RECORD_VERSION;
    record[1] = identity->place;
    fleet_identity_copy(record + 2, identity->id);
    return fleet_entry_write(RECORD, record, sizeof record);
}

static psa_status_t clear_other(struct fleet_identity *identity)
{
    identity->place ^= 1u;
    const psa_status_t status = clear(identity);
    identity->place ^= 1u;
    return status;
}

/* Take up what the record says. */
static psa_status_t take_up(struct fleet_identity *identity, const uint8_t record[RECORD_SIZE])
{
    uint8_t id[FLEET_IDENTITY_SIZE];

    identity->place = record[1];
    psa_status_t status = compute(identity, id);
    /* The second where CORRAL_LENIENT_KEY_IDS. */
    if (status == PSA_ERROR_INVALID_HANDLE || status == PSA_ERROR_DOES_NOT_EXIST ||
        (status == PSA_SUCCESS && !fleet_identity_is(id, record + 2))) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    fleet_identity_copy(identity->id, record + 2);
    return status == PSA_SUCCESS ? clear_other(identity) : status;
}

/* Read which place counts. */
static psa_status_t read_record(uint8_t record[RECORD_SIZE + 1])
{
    const psa_status_t status = fleet_entry_read(RECORD, record, RECORD_SIZE);

    return status == PSA_SUCCESS && (record[0] != RECORD_VERSION || record[1] > 1)
               ? PSA_ERROR_DATA_CORRUPT
               : status;
}

psa_status_t fleet_identity_start(struct fleet_identity *identity,
                                  const struct fleet_profile *profile)
{
    uint8_t record[RECORD_SIZE + 1];

    memset(identity, 0, sizeof *identity);
    identity->profile = profile;
    psa_status_t status = read_record(record);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        status = make(identity);
        return status == PSA_SUCCESS ? let_count(identity) : status;
    }
    return status == PSA_SUCCESS ? take_up(identity, record) : status;
}

psa_status_t fleet_identity_prepare(struct fleet_identity *identity,
                                    struct fleet_identity *successor)
{
    uint8_t record[RECORD_SIZE + 1];

    /* Read again, whatever the start could read: the keys that count are destroyed last. */
    const psa_status_t status = read_record(record);
    if (status == PSA_SUCCESS) {
        identity->place = record[1];
    } else if (status != PSA_ERROR_DOES_NOT_EXIST && status != PSA_ERROR_DATA_CORRUPT) {
        return status;
    }
    successor->profile = identity->profile;
    successor->place = (uint8_t)(identity->place ^ 1u);
    return make(successor);
}

psa_status_t fleet_identity_adopt(struct fleet_identity *identity,
                                  const struct fleet_identity *successor)
{
    const psa_status_t status = let_count(successor);

    if (status != PSA_SUCCESS) {
        return status;
    }
    identity->place = successor->place;
    fleet_identity_copy(identity->id, successor->id);
    return clear_other(identity);
}

psa_status_t fleet_identity_reset(struct fleet_identity *identity)
{
    struct fleet_identity successor;

    const psa_status_t status = fleet_identity_prepare(identity, &successor);
    return status == PSA_SUCCESS ? fleet_identity_adopt(identity, &successor) : status;
}

static char digit(uint8_t value)
{
    return (char)(value < 10 ? '0' + value : 'a' + value - 10);
}

void fleet_identity_text(const struct fleet_identity *identity,
                         char text[2u * FLEET_IDENTITY_SIZE + 1u])
{
    for (uint8_t i = 0; i < FLEET_IDENTITY_SIZE; i++) {
        *text++ = digit(identity->id[i] >> 4);
        *text++ = digit(identity->id[i] & 0x0fu);
    }
    *text = '\0';
}
