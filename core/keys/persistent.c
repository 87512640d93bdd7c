/* SPDX-License-Identifier: Apache-2.0 */
#include "persistent.h"

#include <string.h>

#include <corral/dispatch/key.h>
#include <corral/driver.h>
#include <corral/lock.h>

#include "../../storage/rollback.h"
#include "../common/initialised.h"
#include "owner.h"
#include "pool.h"
#include "record.h"

/*
 * The greatest number of a persistent key that has been in a slot since the start, so that no
 * operation knows a greater one. The next new key uses this number as its count: no
 * caller has seen it under its identifier.
 */
static uint32_t newest;

/* Hold the key if it is in a slot. PSA_ERROR_DOES_NOT_EXIST: it is in none. */
static psa_status_t hold_cached(psa_key_id_t id, struct corral_key **key)
{
    psa_status_t status = PSA_ERROR_DOES_NOT_EXIST;

    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *found = corral_key_search(id, CORRAL_KEY_READY);
    if (found != NULL) {
        *key = found;
        status = corral_key_count_hold(found);
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

/* Operations may meet the key from now on. With the lock of persistent keys. */
static void note_number(const struct corral_key *key)
{
    newest = key->number.words[0] > newest ? key->number.words[0] : newest;
}

/* Make a reserved slot visible, with `holds` holds. With the lock of persistent keys. */
static void publish(struct corral_key *key, uint8_t holds)
{
    note_number(key);
    corral_lock_enter(CORRAL_LOCK_CORE);
    key->holds = holds;
    key->state = CORRAL_KEY_READY;
    corral_lock_leave(CORRAL_LOCK_CORE);
}

/*
 * Read a record whose key exists: a key that is being created or destroyed does not. Before
 * psa_crypto_init() the set of keys is unknown, because interrupted changes are not finished.
 */
static psa_status_t read_existing(psa_key_id_t id, struct corral_key_record *record)
{
    if (!corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE;
    }
    psa_status_t status = corral_key_record_read(id, record);

    if (status == PSA_ERROR_DOES_NOT_EXIST ||
        (status == PSA_SUCCESS && record->stage != CORRAL_STAGE_READY)) {
        return PSA_ERROR_INVALID_HANDLE;
    }
    return status;
}

static psa_status_t load(psa_key_id_t id, struct corral_key **key)
{
    struct corral_key_record record;

    psa_status_t status = read_existing(id, &record);
    if (status == PSA_SUCCESS) {
        status = corral_key_reserve(&record.attributes, key);
    }
    if (status == PSA_SUCCESS) {
        (*key)->length = record.length;
        (*key)->public_length = record.public_length;
        (*key)->number = record.number;
        corral_key_make_mine(*key);
        memcpy(corral_key_data(*key), record.data, (size_t)record.length + record.public_length);
        publish(*key, 1);
    }
    corral_wipe(&record, sizeof record);
    return status;
}

psa_status_t corral_persistent_hold(psa_key_id_t id, struct corral_key **key)
{
    psa_status_t status = hold_cached(id, key);

    if (status != PSA_ERROR_DOES_NOT_EXIST) {
        return status;
    }
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    /* Another thread may have loaded it meanwhile. */
    status = hold_cached(id, key);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        status = load(id, key);
    }
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

/* Forget the copy in a slot: at once, or when the last one gives back its hold. */
static void drop(psa_key_id_t id)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *key = corral_key_search(id, CORRAL_KEY_READY);
    const bool is_unused = key != NULL && key->holds == 0;
    if (key != NULL) {
        key->state = CORRAL_KEY_DYING;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (is_unused) {
        corral_key_free(key);
    }
}

/* Tell the driver of a stored key. A driver without the entry point has nothing to know. */
static psa_status_t restore(struct corral_key_record *record)
{
    psa_status_t status =
        corral_dispatch_restore_key(&record->attributes, record->data, record->length);

    return status == PSA_ERROR_NOT_SUPPORTED ? PSA_SUCCESS : status;
}

/*
 * Ask the element to give up its key, and forget it if it does.
 *   PSA_ERROR_DATA_INVALID  its driver cannot read the stored data; it is forgotten, too
 */
static psa_status_t finish_destruction(struct corral_key_record *record)
{
    psa_status_t status = PSA_SUCCESS;

    if (!corral_attributes_are_local(&record->attributes)) {
        status = restore(record);
        if (status == PSA_SUCCESS) {
            status = corral_dispatch_destroy_key(&record->attributes, record->data, record->length);
        } else if (status == PSA_ERROR_INVALID_HANDLE) {
            status = PSA_SUCCESS; /* the element has given its place to another key since */
        }
    }
    /* A driver without the entry point stores nothing in its element. */
    const psa_status_t result = status == PSA_ERROR_NOT_SUPPORTED ? PSA_SUCCESS : status;
    if (result != PSA_SUCCESS && result != PSA_ERROR_DATA_INVALID) {
        return result;
    }
    status = corral_key_record_remove(record->attributes.id);
    return status == PSA_SUCCESS ? result : status;
}

/* Whether the identifier is free, once what an interrupted call has left of it is cleared up. */
static psa_status_t check_free(psa_key_id_t id)
{
    struct corral_key_record record;

    corral_lock_enter(CORRAL_LOCK_CORE);
    const bool is_reserved = corral_key_search(id, CORRAL_KEY_RESERVED) != NULL;
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (is_reserved) {
        return PSA_ERROR_ALREADY_EXISTS;
    }
    psa_status_t status = corral_key_record_read(id, &record);
    if (status == PSA_SUCCESS) {
        status = record.stage == CORRAL_STAGE_READY ? PSA_ERROR_ALREADY_EXISTS
                                                    : finish_destruction(&record);
    } else if (status == PSA_ERROR_DOES_NOT_EXIST) {
        status = PSA_SUCCESS;
    } else if (status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_DATA_INVALID) {
        status = PSA_ERROR_ALREADY_EXISTS; /* for the application to destroy */
    }
    corral_wipe(&record, sizeof record);
    return status;
}

psa_status_t corral_persistent_begin(const psa_key_attributes_t *attributes,
                                     struct corral_key **key)
{
    if (PSA_KEY_LIFETIME_GET_PERSISTENCE(attributes->lifetime) == PSA_KEY_PERSISTENCE_READ_ONLY) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    psa_status_t status =
        newest < UINT32_MAX ? check_free(attributes->id) : PSA_ERROR_INSUFFICIENT_STORAGE;
    if (status == PSA_SUCCESS) {
        status = corral_key_reserve(attributes, key);
    }
    if (status == PSA_SUCCESS) {
        (*key)->number.words[0] = newest + 1;
    }
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

psa_status_t corral_persistent_allocated(struct corral_key *key, size_t context_size)
{
    if (!corral_key_is_persistent(key)) {
        return PSA_SUCCESS;
    }
    key->length = (uint16_t)context_size;
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    const psa_status_t status = corral_key_record_write(key, CORRAL_STAGE_CREATING);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

void corral_persistent_abandon(struct corral_key *key, size_t context_size)
{
    psa_status_t status = PSA_SUCCESS;

    if (!corral_attributes_are_local(&key->attributes)) {
        status = corral_dispatch_destroy_key(&key->attributes, corral_key_data(key), context_size);
    }
    /* If the element did not answer, the record stays: it is asked again at the next start. */
    if (corral_key_is_persistent(key) &&
        (status == PSA_SUCCESS || status == PSA_ERROR_NOT_SUPPORTED)) {
        corral_lock_enter(CORRAL_LOCK_PERSISTENT);
        (void)corral_key_record_remove(key->attributes.id);
        corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    }
}

/*
 * Store a new key. It stays in its slot if it is to be cached, and is found there at once, or
 * another thread would load it a second time.
 */
static psa_status_t store(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    psa_status_t status = corral_key_record_write(key, CORRAL_STAGE_READY);
    if (status == PSA_SUCCESS && corral_key_is_transient(key)) {
        note_number(key);
        corral_key_free(key);
    } else if (status == PSA_SUCCESS) {
        publish(key, 0);
    }
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    if (status != PSA_SUCCESS) {
        corral_persistent_abandon(key, key->length);
    }
    return status;
}

psa_status_t corral_persistent_end(struct corral_key *key, psa_status_t status, psa_key_id_t *id)
{
    const psa_key_id_t given = key->attributes.id;

    if (status == PSA_SUCCESS) {
        status = store(key);
    }
    if (status != PSA_SUCCESS) {
        corral_key_free(key);
        return status;
    }
    *id = given;
    return PSA_SUCCESS;
}

static psa_status_t destroy(psa_key_id_t id, struct corral_key_record *record)
{
    psa_status_t status = corral_key_record_read(id, record);

    if (status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_DATA_INVALID) {
        /* Nothing can be done with it but to forget it, and to say so. */
        drop(id);
        const psa_status_t removed = corral_key_record_remove(id);
        return removed == PSA_SUCCESS ? status : removed;
    }
    if (status != PSA_SUCCESS) {
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_INVALID_HANDLE : status;
    }
    if (PSA_KEY_LIFETIME_GET_PERSISTENCE(record->attributes.lifetime) ==
        PSA_KEY_PERSISTENCE_READ_ONLY) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    const bool never_existed = record->stage == CORRAL_STAGE_CREATING;
    if (!corral_attributes_are_local(&record->attributes) && record->stage == CORRAL_STAGE_READY) {
        status = corral_key_record_mark(record, CORRAL_STAGE_DESTROYING);
    }
    if (status == PSA_SUCCESS) {
        drop(id);
        status = finish_destruction(record);
    }
    return status == PSA_SUCCESS && never_existed ? PSA_ERROR_INVALID_HANDLE : status;
}

psa_status_t corral_persistent_destroy(psa_key_id_t id)
{
    struct corral_key_record record;
    psa_status_t status = PSA_ERROR_INVALID_HANDLE;

    if (!corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE;
    }
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    corral_lock_enter(CORRAL_LOCK_CORE);
    const bool is_reserved = corral_key_search(id, CORRAL_KEY_RESERVED) != NULL;
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (!is_reserved) {
        status = destroy(id, &record);
    }
    corral_wipe(&record, sizeof record);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

psa_status_t corral_persistent_purge(psa_key_id_t id)
{
    struct corral_key_record record;
    bool is_dropped = false;

    corral_lock_enter(CORRAL_LOCK_CORE);
    struct corral_key *key = corral_key_search(id, CORRAL_KEY_READY);
    const bool is_cached = key != NULL;
    if (is_cached && key->holds == 0) {
        key->state = CORRAL_KEY_DYING;
        is_dropped = true;
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    if (is_dropped) {
        corral_key_free(key);
    }
    if (is_cached) {
        return PSA_SUCCESS; /* one that is in use stays until that ends */
    }
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    psa_status_t status = read_existing(id, &record);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    corral_wipe(&record, sizeof record);
    return status;
}

/* Whether an element is the cause: it does not answer, is broken, or was changed. */
static bool is_of_one_element(psa_status_t status)
{
    return status == PSA_ERROR_COMMUNICATION_FAILURE || status == PSA_ERROR_HARDWARE_FAILURE ||
           status == PSA_ERROR_NOT_PERMITTED || status == PSA_ERROR_INVALID_HANDLE;
}

/* Go on with a stored key where the last run has ended. */
static psa_status_t take_up(struct corral_key_record *record)
{
    psa_status_t status =
        record->stage == CORRAL_STAGE_READY ? restore(record) : finish_destruction(record);

    /*
     * If the element does not do it now, the record stays for another time. Of a key that has lost
     * its place to another one each use will say so, and it can be destroyed.
     */
    return is_of_one_element(status) ? PSA_SUCCESS : status;
}

/* Take up a stored key of the caller, if it is of an element and exists, or does not. */
static psa_status_t take_up_one(psa_key_id_t id, bool existing)
{
    struct corral_key_record record;

    psa_status_t status = corral_key_record_read(id, &record);
    if (status == PSA_SUCCESS && !corral_attributes_are_local(&record.attributes) &&
        existing == (record.stage == CORRAL_STAGE_READY)) {
        status = take_up(&record);
    }
    corral_wipe(&record, sizeof record);
    /* A record that is no use says so when its key is asked for. */
    return status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_DATA_INVALID ? PSA_SUCCESS
                                                                                : status;
}

/*
 * The same of all clients' keys, as if each called. A destruction that fails does not stop
 * the start of others: the key stays in the element, and the next start tries again. A key
 * of which its driver cannot be told does, since its place would be given away.
 */
static psa_status_t take_up_clients(bool existing)
{
    corral_owner_t owner = 0;
    psa_key_id_t id = PSA_KEY_ID_NULL;
    psa_status_t status;

    while ((status = corral_key_record_next_of_clients(&owner, &id)) == PSA_SUCCESS) {
        (void)corral_owner_become(owner);
        status = take_up_one(id, existing);
        (void)corral_owner_become(0);
        if (status != PSA_SUCCESS && existing) {
            return status;
        }
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

/* Take up the stored keys of elements: those that exist, or those that do not. */
static psa_status_t take_up_all(bool existing)
{
    psa_key_id_t id = PSA_KEY_ID_NULL;
    psa_status_t status;

    while ((status = corral_key_record_next(&id)) == PSA_SUCCESS) {
        status = take_up_one(id, existing);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    if (status != PSA_ERROR_DOES_NOT_EXIST) {
        return status;
    }
    return CORRAL_WALL ? take_up_clients(existing) : PSA_SUCCESS;
}

static psa_status_t recover(void)
{
    psa_key_id_t id = PSA_KEY_ID_NULL;
    psa_status_t status = corral_sealed_check();

    if (status != PSA_SUCCESS) {
        return status;
    }
    if (CORRAL_ELEMENT_COUNT == 0) {
        status = corral_key_record_next(&id); /* the storage examines itself */
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
    }
    status = take_up_all(true);
    return status == PSA_SUCCESS ? take_up_all(false) : status;
}

psa_status_t corral_persistent_recover(void)
{
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    const corral_owner_t caller = corral_owner_become(0); /* this caller recovers for all */
    const psa_status_t status = recover();
    (void)corral_owner_become(caller);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}
