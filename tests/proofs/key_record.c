/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of persistent keys (core/keys/record.c): whatever the storage holds under the name of
 * a key, of whatever length, is refused with a status of key_record.h, or is a key that this build
 * could hold. Written data is read back as the same key.
 */
#include "../../core/keys/record.c"

#include "proof.h"

struct stored {
    uint8_t bytes[RECORD_SIZE];
};
struct stored nondet_stored(void);

/* The content of the storage. */
static struct stored stored;
static size_t stored_length;

static struct single {
    struct corral_key key;
    uint8_t data[CORRAL_KEY_RECORD_DATA];
} slot;
struct single nondet_single(void);

/* As storage/store.h promises it: the length is that of the whole entry. */
psa_status_t corral_store_get(enum corral_space space, uint64_t uid, size_t offset, uint8_t *data,
                              size_t size, size_t *length, uint8_t *flags)
{
    (void)uid;
    CLAIM(space == CORRAL_SPACE_KEYS && offset == 0 && size == RECORD_SIZE, "a whole key is read");
    CLAIM(__CPROVER_w_ok(data, size), "there is room for it");
    if (nondet_bool()) {
        const psa_status_t status = nondet_status();
        GIVEN(status == PSA_ERROR_DOES_NOT_EXIST || status == PSA_ERROR_DATA_CORRUPT ||
              status == PSA_ERROR_STORAGE_FAILURE);
        return status;
    }
    for (size_t i = 0; i < RECORD_SIZE; i++) {
        if (i < stored_length) {
            data[i] = stored.bytes[i];
        }
    }
    *length = stored_length;
    *flags = nondet_uint8();
    return PSA_SUCCESS;
}

psa_status_t corral_store_set(enum corral_space space, uint64_t uid, uint8_t flags,
                              const uint8_t *data, size_t length)
{
    (void)flags;
    CLAIM(space == CORRAL_SPACE_KEYS && uid == slot.key.attributes.id, "it is stored by its name");
    CLAIM(length <= RECORD_SIZE && __CPROVER_r_ok(data, length), "what is stored is there");
    for (size_t i = 0; i < RECORD_SIZE; i++) {
        if (i < length) {
            stored.bytes[i] = data[i];
        }
    }
    stored_length = length;
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

/* A seal that changes nothing: the vectors of RFC 5297 test its function. */
psa_status_t corral_seal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                         uint8_t tag[CORRAL_SEAL_TAG_SIZE])
{
    CLAIM(__CPROVER_r_ok(header, header_size) && __CPROVER_w_ok(data, size), "sealed in place");
    CLAIM(__CPROVER_w_ok(tag, CORRAL_SEAL_TAG_SIZE), "there is room for the tag");
    return PSA_SUCCESS;
}

psa_status_t corral_unseal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                           const uint8_t tag[CORRAL_SEAL_TAG_SIZE])
{
    CLAIM(__CPROVER_r_ok(header, header_size) && __CPROVER_w_ok(data, size), "opened in place");
    CLAIM(__CPROVER_r_ok(tag, CORRAL_SEAL_TAG_SIZE), "the tag is there");
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_DATA_CORRUPT;
}

/* The content of wiped memory does not matter to the claims, only that it is there. */
void corral_wipe(void *buffer, size_t size)
{
    CLAIM(__CPROVER_w_ok(buffer, size), "what is wiped is there");
}

psa_status_t corral_store_remove(enum corral_space space, uint64_t uid)
{
    (void)uid;
    CLAIM(space == CORRAL_SPACE_KEYS, "a key is removed");
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_DOES_NOT_EXIST;
}

psa_status_t corral_store_next(enum corral_space space, uint64_t *uid)
{
    CLAIM(space == CORRAL_SPACE_KEYS, "a key is looked for");
    if (nondet_bool()) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    const uint64_t next = nondet_uint64();
    GIVEN(next > *uid);
    *uid = next;
    return PSA_SUCCESS;
}

/* Keys of elements, and records that no other software can have written. */
static bool is_judged_elsewhere(const psa_key_attributes_t *attributes)
{
    return CORRAL_SEALED_STORAGE || !corral_attributes_are_local(attributes);
}

void prove_read(void)
{
    struct corral_key_record record;
    const psa_key_id_t id = nondet_uint32();

    stored = nondet_stored();
    stored_length = nondet_size();
    psa_status_t status = corral_key_record_read(id, &record);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST ||
              status == PSA_ERROR_DATA_INVALID || status == PSA_ERROR_DATA_CORRUPT ||
              status == PSA_ERROR_STORAGE_FAILURE,
          "the statuses of key_record.h");
    if (status != PSA_SUCCESS) {
        return;
    }
    const size_t size = (size_t)record.length + record.public_length;
    CLAIM(record.attributes.id == id, "it is the key that was asked for");
    CLAIM(!PSA_KEY_LIFETIME_IS_VOLATILE(record.attributes.lifetime), "it is persistent");
    CLAIM(corral_location_known(corral_attributes_location(&record.attributes)), "it has a place");
    CLAIM(record.length > 0 && size <= sizeof record.data, "what is there of it is all of it");
    CLAIM(size <= corral_key_capacity(&record.attributes), "it fits into a slot of its pool");
    CLAIM(stored_length == DATA_AT + size, "and is all that was stored");
    /* Of the types in this build all keys are as long as their size says. */
    CLAIM(is_judged_elsewhere(&record.attributes) || record.stage == CORRAL_STAGE_READY,
          "only a key of an element is at another stage");
    CLAIM(is_judged_elsewhere(&record.attributes) ||
              record.length == (record.attributes.bits + 7u) / 8u,
          "its length is the one of its type and size");
    CLAIM(is_judged_elsewhere(&record.attributes) || record.public_length == 0 ||
              record.public_length == record.length,
          "so is that of a public key behind it");
    const size_t i = nondet_size();
    GIVEN(i < size);
    CLAIM(record.data[i] == stored.bytes[DATA_AT + i], "its bytes are those that were stored");
}

void prove_write_and_read(void)
{
    struct corral_key_record record;
    const enum corral_key_stage stage = nondet_bool() ? CORRAL_STAGE_READY : CORRAL_STAGE_CREATING;

    slot = nondet_single();
    GIVEN((size_t)slot.key.length + slot.key.public_length <= CORRAL_KEY_RECORD_DATA);
    GIVEN(slot.key.length > 0 && slot.key.attributes.type != PSA_KEY_TYPE_NONE);
    GIVEN((size_t)slot.key.length + slot.key.public_length <=
          corral_key_capacity(&slot.key.attributes));
    GIVEN(!PSA_KEY_LIFETIME_IS_VOLATILE(slot.key.attributes.lifetime));
    GIVEN(corral_location_known(corral_attributes_location(&slot.key.attributes)));
    GIVEN(is_judged_elsewhere(&slot.key.attributes) || stage == CORRAL_STAGE_READY);
    GIVEN(is_judged_elsewhere(&slot.key.attributes) ||
          corral_key_fits(&slot.key.attributes, slot.data, slot.key.length));
    GIVEN(is_judged_elsewhere(&slot.key.attributes) || slot.key.public_length == 0 ||
          (slot.key.attributes.type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY) &&
           slot.key.public_length == 32));
    const uint32_t number = slot.key.number.words[0];
    if (corral_key_record_write(&slot.key, stage) != PSA_SUCCESS) {
        return;
    }
    psa_status_t status = corral_key_record_read(slot.key.attributes.id, &record);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST ||
              status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_STORAGE_FAILURE,
          "only the storage refuses what was written");
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(record.attributes.id == slot.key.attributes.id &&
              record.attributes.type == slot.key.attributes.type &&
              record.attributes.bits == slot.key.attributes.bits &&
              record.attributes.usage == slot.key.attributes.usage &&
              record.attributes.algorithm == slot.key.attributes.algorithm &&
              record.attributes.lifetime == slot.key.attributes.lifetime,
          "the attributes are read back");
    CLAIM(record.length == slot.key.length && record.public_length == slot.key.public_length &&
              record.stage == stage,
          "lengths and stage are read back");
    CLAIM(record.number.words[0] == number && slot.key.number.words[0] == number &&
              record.number.words[CORRAL_KEY_NUMBER_WORDS - 1] ==
                  slot.key.number.words[CORRAL_KEY_NUMBER_WORDS - 1],
          "the number is read back");
    const size_t i = nondet_size();
    GIVEN(i < (size_t)record.length + record.public_length);
    CLAIM(record.data[i] == slot.data[i], "the key is read back");
}

void prove_next(void)
{
    psa_key_id_t id = nondet_uint32();
    const psa_key_id_t before = id;

    psa_status_t status = corral_key_record_next(&id);
    CLAIM(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST, "one of two statuses");
    CLAIM(status == PSA_SUCCESS ? id > before && id <= PSA_KEY_ID_USER_MAX : id == before,
          "identifiers ascend, and end with the application's");
    (void)corral_key_record_remove(id);
}
