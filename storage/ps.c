/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protected storage: entries sealed under the key of the device. Stored are the tag and the data;
 * number and flags are authenticated with them. An entry of psa_ps_create() is stored with its
 * full capacity, and its size behind that (2 bytes), so writing to it needs no more room. Flash
 * reserves that space in each page for all clients: behind a wall no client can make it do so.
 */
#include <psa/protected_storage.h>

#include <string.h>

#include <corral/driver.h>
#include <corral/lock.h>

#include "bytes.h"
#include "owner.h"
#include "rollback.h"
#include "seal.h"

#define TAG_SIZE (CORRAL_SEALED_STORAGE ? CORRAL_SEAL_TAG_SIZE : 0u)
#define MAX_SIZE ((size_t)CORRAL_PROTECTED_STORAGE_MAX_SIZE)
#define SIZE_FIELD 2u
#define HEADER_SIZE 9u

struct entry {
    uint8_t bytes[CORRAL_SEAL_TAG_SIZE + MAX_SIZE + SIZE_FIELD];
    size_t capacity;
    size_t size;
    uint8_t flags;
};

static uint8_t *data_of(struct entry *entry)
{
    return entry->bytes + TAG_SIZE;
}

/* Bytes behind the capacity. */
static size_t field_of(uint8_t flags)
{
    return (flags & CORRAL_STORE_CAPACITY) != 0 ? SIZE_FIELD : 0;
}

static void put_header(uint8_t header[HEADER_SIZE], psa_storage_uid_t uid, uint8_t flags)
{
    corral_put(header, uid, 8);
    header[8] = flags;
}

/* Seal and store. The entry is no use afterwards. */
static psa_status_t write_entry(psa_storage_uid_t uid, struct entry *entry)
{
    const size_t size = entry->capacity + field_of(entry->flags);
    uint8_t header[HEADER_SIZE + CORRAL_OWNER_SIZE];
    psa_status_t status = PSA_SUCCESS;

    corral_put(data_of(entry) + entry->capacity, entry->size, field_of(entry->flags));
    put_header(header, uid, entry->flags);
    const size_t header_size = HEADER_SIZE + corral_put_owner(header + HEADER_SIZE);
    if (CORRAL_SEALED_STORAGE) {
        status = corral_seal(header, header_size, data_of(entry), size, entry->bytes);
    }
    if (status == PSA_SUCCESS) {
        status = corral_sealed_set(corral_space_of_mine(CORRAL_SPACE_PS), corral_uid_of_mine(uid),
                                   entry->flags, entry->bytes, TAG_SIZE + size);
    }
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* The stored data, `length` authentic bytes, as capacity and size. */
static psa_status_t measure(struct entry *entry, size_t length)
{
    const size_t field = field_of(entry->flags);

    if (length < field) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    entry->capacity = length - field;
    entry->size = field == 0 ? entry->capacity
                             : (size_t)corral_take(data_of(entry) + entry->capacity, SIZE_FIELD);
    return entry->capacity <= MAX_SIZE && entry->size <= entry->capacity ? PSA_SUCCESS
                                                                         : PSA_ERROR_DATA_CORRUPT;
}

/* Read and authenticate a whole entry. The caller wipes it. */
static psa_status_t read_entry(psa_storage_uid_t uid, struct entry *entry)
{
    uint8_t header[HEADER_SIZE + CORRAL_OWNER_SIZE];
    size_t length = 0;

    psa_status_t status =
        corral_uid_is_possible(uid) ? corral_sealed_check() : PSA_ERROR_DOES_NOT_EXIST;
    if (status == PSA_SUCCESS) {
        status = corral_store_get(corral_space_of_mine(CORRAL_SPACE_PS), corral_uid_of_mine(uid), 0,
                                  entry->bytes, sizeof entry->bytes, &length, &entry->flags);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* A length below that of a tag wraps around, and is too long, too. */
    if (length - TAG_SIZE > MAX_SIZE + SIZE_FIELD) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    length -= TAG_SIZE;
    put_header(header, uid, entry->flags);
    const size_t header_size = HEADER_SIZE + corral_put_owner(header + HEADER_SIZE);
    if (CORRAL_SEALED_STORAGE) {
        status = corral_unseal(header, header_size, data_of(entry), length, entry->bytes);
    }
    if (status == PSA_ERROR_DATA_CORRUPT) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return status == PSA_SUCCESS ? measure(entry, length) : status;
}

psa_status_t psa_ps_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                        psa_storage_create_flags_t create_flags)
{
    struct entry entry = {.capacity = data_length, .size = data_length};

    if (uid == 0 || (p_data == NULL && data_length != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((create_flags & ~CORRAL_STORE_ALL_FLAGS) != 0 || !corral_uid_is_possible(uid)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (data_length > MAX_SIZE) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    entry.flags = (uint8_t)create_flags;
    if (data_length > 0) {
        memcpy(data_of(&entry), p_data, data_length);
    }
    corral_lock_enter(CORRAL_LOCK_PROTECTED);
    psa_status_t status = write_entry(uid, &entry);
    corral_lock_leave(CORRAL_LOCK_PROTECTED);
    corral_wipe(&entry, sizeof entry);
    return status;
}

psa_status_t psa_ps_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                        size_t *p_data_length)
{
    struct entry entry;

    *p_data_length = 0;
    if (uid == 0 || (p_data == NULL && data_size != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, &entry);
    if (status == PSA_SUCCESS && data_offset > entry.size) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS) {
        const size_t rest = entry.size - data_offset;
        *p_data_length = data_size < rest ? data_size : rest;
        if (*p_data_length > 0) {
            memcpy(p_data, data_of(&entry) + data_offset, *p_data_length);
        }
    }
    corral_wipe(&entry, sizeof entry);
    return status;
}

psa_status_t psa_ps_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    struct entry entry;

    if (uid == 0 || p_info == NULL) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, &entry);
    if (status == PSA_SUCCESS) {
        p_info->capacity = entry.capacity;
        p_info->size = entry.size;
        p_info->flags = entry.flags & CORRAL_STORE_ALL_FLAGS;
    }
    corral_wipe(&entry, sizeof entry);
    return status;
}

psa_status_t psa_ps_remove(psa_storage_uid_t uid)
{
    if (uid == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_uid_is_possible(uid)) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    corral_lock_enter(CORRAL_LOCK_PROTECTED);
    psa_status_t status =
        corral_sealed_remove(corral_space_of_mine(CORRAL_SPACE_PS), corral_uid_of_mine(uid));
    corral_lock_leave(CORRAL_LOCK_PROTECTED);
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* Check that there is no entry; PSA_ERROR_ALREADY_EXISTS also if it is damaged. */
static psa_status_t check_absent(psa_storage_uid_t uid)
{
    size_t length;
    uint8_t flags;

    psa_status_t status = corral_store_get(corral_space_of_mine(CORRAL_SPACE_PS),
                                           corral_uid_of_mine(uid), 0, NULL, 0, &length, &flags);
    if (status == PSA_SUCCESS || status == PSA_ERROR_DATA_CORRUPT) {
        return PSA_ERROR_ALREADY_EXISTS;
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}

psa_status_t psa_ps_create(psa_storage_uid_t uid, size_t capacity,
                           psa_storage_create_flags_t create_flags)
{
    struct entry entry = {.capacity = capacity};

    if (!CORRAL_STORE_HAS_PARTS) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (uid == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((create_flags & ~CORRAL_STORE_ALL_FLAGS) != 0 ||
        (create_flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0 || !corral_uid_is_possible(uid)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    entry.flags = (uint8_t)create_flags | CORRAL_STORE_CAPACITY;
    corral_lock_enter(CORRAL_LOCK_PROTECTED);
    psa_status_t status = check_absent(uid);
    if (status == PSA_SUCCESS) {
        status = capacity > MAX_SIZE ? PSA_ERROR_INSUFFICIENT_STORAGE : write_entry(uid, &entry);
    }
    corral_lock_leave(CORRAL_LOCK_PROTECTED);
    return status;
}

/* Change a part of an entry that was read, within its capacity and without a gap. */
static psa_status_t change(struct entry *entry, size_t offset, const uint8_t *data, size_t length)
{
    if ((entry->flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    if (offset > entry->size || length > entry->capacity - offset) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (length > 0) {
        memcpy(data_of(entry) + offset, data, length);
    }
    entry->size = offset + length > entry->size ? offset + length : entry->size;
    return PSA_SUCCESS;
}

psa_status_t psa_ps_set_extended(psa_storage_uid_t uid, size_t data_offset, size_t data_length,
                                 const void *p_data)
{
    struct entry entry;

    if (!CORRAL_STORE_HAS_PARTS) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (uid == 0 || (p_data == NULL && data_length != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    corral_lock_enter(CORRAL_LOCK_PROTECTED);
    psa_status_t status = read_entry(uid, &entry);
    if (status == PSA_SUCCESS) {
        status = change(&entry, data_offset, p_data, data_length);
    }
    if (status == PSA_SUCCESS && data_length > 0) {
        status = write_entry(uid, &entry);
    }
    corral_lock_leave(CORRAL_LOCK_PROTECTED);
    corral_wipe(&entry, sizeof entry);
    /* The room was reserved: where it is missing nevertheless the medium has failed. */
    return status == PSA_ERROR_INSUFFICIENT_STORAGE ? PSA_ERROR_STORAGE_FAILURE : status;
}
