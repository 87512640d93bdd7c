/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a key, numbers little-endian:
 *   0  version (2)                    8  usage flags (4)
 *   1  stage (1)                     12  algorithm (4)
 *   2  1: sealed, 0: in clear (1)    16  lifetime (4)
 *   3  length of a public key (1)    20  length of the key (2)
 *   4  type (2)                      22  identifier (4)
 *   6  bits (2)                      26  number of the key (4): core/keys/pool.h
 *                                    30  tag (16) if sealed, then key and public key
 * Everything before the tag is authenticated with the key, and behind that a client's number (4).
 */
#include "record.h"

#include <string.h>

#include <corral/dispatch/key.h>
#include <corral/driver.h>

#include "../../storage/bytes.h"
#include "../../storage/owner.h"
#include "../../storage/rollback.h"
#include "../../storage/seal.h"
#include "sizes.h"

#define VERSION 2
#define HEADER_SIZE CORRAL_STORE_KEY_TAG_AT
#define TAG_SIZE (CORRAL_SEALED_STORAGE ? CORRAL_SEAL_TAG_SIZE : 0u)
#define DATA_AT (HEADER_SIZE + TAG_SIZE)
#define RECORD_SIZE (DATA_AT + CORRAL_KEY_RECORD_DATA)

static void put_header(uint8_t *to, const psa_key_attributes_t *attributes)
{
    to[0] = VERSION;
    to[2] = CORRAL_SEALED_STORAGE;
    corral_put(to + 4, attributes->type, 2);
    corral_put(to + 6, attributes->bits, 2);
    corral_put(to + 8, attributes->usage, 4);
    corral_put(to + 12, attributes->algorithm, 4);
    corral_put(to + 16, attributes->lifetime, 4);
    corral_put(to + 22, attributes->id, 4);
}

/* The number of a key, with the beginning of the tag if there is one. */
static void take_number(const uint8_t *from, struct corral_key_number *number)
{
    if (CORRAL_SEALED_STORAGE) {
        number->words[CORRAL_KEY_NUMBER_WORDS - 1] = (uint32_t)corral_take(from + HEADER_SIZE, 4);
    }
    number->words[0] = (uint32_t)corral_take(from + 26, 4);
}

static void take_header(const uint8_t *from, struct corral_key_record *record)
{
    record->stage = from[1];
    record->public_length = from[3];
    record->attributes.type = (psa_key_type_t)corral_take(from + 4, 2);
    record->attributes.bits = (uint16_t)corral_take(from + 6, 2);
    record->attributes.usage = (psa_key_usage_t)corral_take(from + 8, 4);
    record->attributes.algorithm = (psa_algorithm_t)corral_take(from + 12, 4);
    record->attributes.lifetime = (psa_key_lifetime_t)corral_take(from + 16, 4);
    record->length = (uint16_t)corral_take(from + 20, 2);
    record->attributes.id = (psa_key_id_t)corral_take(from + 22, 4);
    take_number(from, &record->number);
}

/* The header with the owner behind it, of a client's; else where it is. */
static inline const uint8_t *authenticated(const uint8_t *header, uint8_t *named, size_t *size)
{
    *size = HEADER_SIZE;
    if (!corral_owner_is_client()) {
        return header;
    }
    memcpy(named, header, HEADER_SIZE);
    *size += corral_put_owner(named + HEADER_SIZE);
    return named;
}

static inline psa_status_t seal(uint8_t *bytes, size_t size)
{
    uint8_t named[HEADER_SIZE + CORRAL_OWNER_SIZE];
    size_t header_size;
    const uint8_t *const header = authenticated(bytes, named, &header_size);

    return corral_seal(header, header_size, bytes + DATA_AT, size - DATA_AT, bytes + HEADER_SIZE);
}

static inline psa_status_t unseal(uint8_t *bytes, size_t size)
{
    uint8_t named[HEADER_SIZE + CORRAL_OWNER_SIZE];
    size_t header_size;
    const uint8_t *const header = authenticated(bytes, named, &header_size);

    return corral_unseal(header, header_size, bytes + DATA_AT, size - DATA_AT, bytes + HEADER_SIZE);
}

/* Seal (if this build does) and store; `data` is behind the room for header and tag. */
static psa_status_t store(uint8_t *bytes, size_t size, uint8_t flags)
{
    const psa_key_id_t id = (psa_key_id_t)corral_take(bytes + 22, 4);
    psa_status_t status = PSA_SUCCESS;

    if (CORRAL_SEALED_STORAGE) {
        status = seal(bytes, size);
    }
    if (status == PSA_SUCCESS) {
        status = corral_sealed_set(corral_space_of_mine(CORRAL_SPACE_KEYS), corral_uid_of_mine(id),
                                   flags, bytes, size);
    }
    return status;
}

/* Put together what is stored of a key. */
static psa_status_t write_record(const psa_key_attributes_t *attributes, const uint8_t *data,
                                 size_t length, size_t public_length, enum corral_key_stage stage,
                                 struct corral_key_number *number)
{
    /* A record that replaces an allocation has its space, like the removal. */
    const uint8_t flags = stage == CORRAL_STAGE_CREATING ? 0 : CORRAL_STORE_URGENT;
    const bool is_local = corral_attributes_are_local(attributes);
    const size_t size = length + public_length;
    uint8_t bytes[RECORD_SIZE];

    if (size > CORRAL_KEY_RECORD_DATA) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    put_header(bytes, attributes);
    bytes[1] = (uint8_t)stage;
    bytes[3] = (uint8_t)public_length;
    corral_put(bytes + 20, length, 2);
    corral_put(bytes + 26, number->words[0], 4);
    memcpy(bytes + DATA_AT, data, size);
    psa_status_t status = store(bytes, DATA_AT + size, is_local ? 0 : flags);
    take_number(bytes, number);
    corral_wipe(bytes, sizeof bytes);
    return status;
}

psa_status_t corral_key_record_write(struct corral_key *key, enum corral_key_stage stage)
{
    return write_record(&key->attributes, corral_key_data(key), key->length, key->public_length,
                        stage, &key->number);
}

psa_status_t corral_key_record_mark(struct corral_key_record *record, enum corral_key_stage stage)
{
    return write_record(&record->attributes, record->data, record->length, record->public_length,
                        stage, &record->number);
}

/* Whether stage and lengths are those of such a key; contexts are their drivers' to judge. */
static bool fits(const struct corral_key_record *record, const uint8_t *data)
{
    const psa_key_attributes_t *attributes = &record->attributes;

    if (!corral_attributes_are_local(attributes)) {
        return true;
    }
    return record->stage == CORRAL_STAGE_READY &&
           corral_key_fits(attributes, data, record->length) &&
           (record->public_length == 0 ||
            (PSA_KEY_TYPE_IS_ECC_KEY_PAIR(attributes->type) &&
             record->public_length == corral_ecc_public_size(attributes)));
}

/* Whether this build can hold a key with the values of the record. */
static bool is_possible(const struct corral_key_record *record, psa_key_id_t id,
                        const uint8_t *data)
{
    const psa_key_attributes_t *attributes = &record->attributes;
    const size_t size = (size_t)record->length + record->public_length;

    if (attributes->id != id || attributes->type == PSA_KEY_TYPE_NONE ||
        PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime) ||
        !corral_location_known(corral_attributes_location(attributes))) {
        return false;
    }
    return record->length > 0 && size <= corral_key_capacity(attributes) &&
           record->stage >= CORRAL_STAGE_READY && record->stage <= CORRAL_STAGE_DESTROYING &&
           (CORRAL_SEALED_STORAGE || fits(record, data)); /* sealed data was written here */
}

static psa_status_t parse(psa_key_id_t id, uint8_t *bytes, size_t size,
                          struct corral_key_record *record)
{
    psa_status_t status = PSA_SUCCESS;

    if (size < DATA_AT || size > RECORD_SIZE || bytes[0] != VERSION ||
        bytes[2] != CORRAL_SEALED_STORAGE) {
        return PSA_ERROR_DATA_INVALID;
    }
    take_header(bytes, record);
    if (size - DATA_AT != (size_t)record->length + record->public_length) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    if (CORRAL_SEALED_STORAGE) {
        status = unseal(bytes, size);
    }
    if (status == PSA_SUCCESS && !is_possible(record, id, bytes + DATA_AT)) {
        status = PSA_ERROR_DATA_INVALID;
    }
    if (status == PSA_SUCCESS) {
        memcpy(record->data, bytes + DATA_AT, size - DATA_AT);
    }
    return status;
}

psa_status_t corral_key_record_read(psa_key_id_t id, struct corral_key_record *record)
{
    uint8_t bytes[RECORD_SIZE];
    size_t size = 0;
    uint8_t flags;

    psa_status_t status = corral_sealed_check();
    if (status == PSA_SUCCESS) {
        status = corral_store_get(corral_space_of_mine(CORRAL_SPACE_KEYS), corral_uid_of_mine(id),
                                  0, bytes, sizeof bytes, &size, &flags);
    }
    if (status == PSA_SUCCESS) {
        status = parse(id, bytes, size, record);
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

psa_status_t corral_key_record_remove(psa_key_id_t id)
{
    psa_status_t status =
        corral_sealed_remove(corral_space_of_mine(CORRAL_SPACE_KEYS), corral_uid_of_mine(id));

    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

psa_status_t corral_key_record_next(psa_key_id_t *id)
{
    uint64_t uid = *id;

    psa_status_t status = corral_store_next(CORRAL_SPACE_KEYS, &uid);
    if (status == PSA_SUCCESS && uid > PSA_KEY_ID_USER_MAX) {
        status = PSA_ERROR_DOES_NOT_EXIST;
    }
    *id = status == PSA_SUCCESS ? (psa_key_id_t)uid : *id;
    return status;
}

psa_status_t corral_key_record_next_of_clients(corral_owner_t *owner, psa_key_id_t *id)
{
    uint64_t uid = (uint64_t)*owner << 32 | *id;

    psa_status_t status =
        corral_store_next((enum corral_space)(CORRAL_SPACE_KEYS | CORRAL_SPACE_OF_CLIENTS), &uid);
    if (status == PSA_SUCCESS) {
        *owner = (corral_owner_t)(uid >> 32);
        *id = (psa_key_id_t)(uid & UINT32_MAX);
    }
    return status;
}
