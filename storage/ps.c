/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protected storage: entries sealed under the key of the device. Stored are the tag and the data;
 * number and flags are authenticated with them.
 */
#include <psa/protected_storage.h>

#include <string.h>

#include <corral/driver.h>

#include "../core/seal.h"
#include "bytes.h"
#include "rollback.h"

#define TAG_SIZE (CORRAL_SEALED_STORAGE ? CORRAL_SEAL_TAG_SIZE : 0u)
#define MAX_SIZE ((size_t)CORRAL_PROTECTED_STORAGE_MAX_SIZE)
#define HEADER_SIZE 9u

static void put_header(uint8_t header[HEADER_SIZE], psa_storage_uid_t uid, uint8_t flags)
{
    corral_put(header, uid, 8);
    header[8] = flags;
}

psa_status_t psa_ps_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                        psa_storage_create_flags_t create_flags)
{
    uint8_t bytes[CORRAL_SEAL_TAG_SIZE + MAX_SIZE] = {0}; /* an entry may be empty */
    uint8_t header[HEADER_SIZE];
    psa_status_t status = PSA_SUCCESS;

    if (uid == 0 || (p_data == NULL && data_length != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((create_flags & ~CORRAL_STORE_ALL_FLAGS) != 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (data_length > MAX_SIZE) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    if (data_length > 0) {
        memcpy(bytes + TAG_SIZE, p_data, data_length);
    }
    put_header(header, uid, (uint8_t)create_flags);
    if (CORRAL_SEALED_STORAGE) {
        status = corral_seal(header, sizeof header, bytes + TAG_SIZE, data_length, bytes);
    }
    if (status == PSA_SUCCESS) {
        status = corral_sealed_set(CORRAL_SPACE_PS, uid, (uint8_t)create_flags, bytes,
                                   TAG_SIZE + data_length);
    }
    corral_wipe(bytes, sizeof bytes);
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* Read and authenticate a whole entry: *size bytes at bytes + TAG_SIZE. The caller wipes them. */
static psa_status_t read_entry(psa_storage_uid_t uid, uint8_t bytes[], size_t *size, uint8_t *flags)
{
    uint8_t header[HEADER_SIZE];
    size_t length = 0;

    psa_status_t status = corral_sealed_check();
    if (status == PSA_SUCCESS) {
        status =
            corral_store_get(CORRAL_SPACE_PS, uid, 0, bytes, TAG_SIZE + MAX_SIZE, &length, flags);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* What is shorter than a tag wraps around, and is too long, too. */
    if (length - TAG_SIZE > MAX_SIZE) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    *size = length - TAG_SIZE;
    put_header(header, uid, *flags);
    if (CORRAL_SEALED_STORAGE) {
        status = corral_unseal(header, sizeof header, bytes + TAG_SIZE, *size, bytes);
    }
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_ERROR_INVALID_SIGNATURE : status;
}

psa_status_t psa_ps_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                        size_t *p_data_length)
{
    uint8_t bytes[CORRAL_SEAL_TAG_SIZE + MAX_SIZE];
    size_t size = 0;
    uint8_t flags = 0;

    *p_data_length = 0;
    if (uid == 0 || (p_data == NULL && data_size != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, bytes, &size, &flags);
    if (status == PSA_SUCCESS && data_offset > size) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS) {
        const size_t rest = size - data_offset;
        *p_data_length = data_size < rest ? data_size : rest;
        if (*p_data_length > 0) {
            memcpy(p_data, bytes + TAG_SIZE + data_offset, *p_data_length);
        }
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

psa_status_t psa_ps_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    uint8_t bytes[CORRAL_SEAL_TAG_SIZE + MAX_SIZE];
    size_t size = 0;
    uint8_t flags = 0;

    if (uid == 0 || p_info == NULL) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, bytes, &size, &flags);
    if (status == PSA_SUCCESS) {
        p_info->capacity = size;
        p_info->size = size;
        p_info->flags = flags;
    }
    corral_wipe(bytes, sizeof bytes);
    return status;
}

psa_status_t psa_ps_remove(psa_storage_uid_t uid)
{
    if (uid == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_sealed_remove(CORRAL_SPACE_PS, uid);
    return status == PSA_ERROR_DATA_CORRUPT ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* The optional functions are not implemented: an entry is written whole. */
psa_status_t psa_ps_create(psa_storage_uid_t uid, size_t capacity,
                           psa_storage_create_flags_t create_flags)
{
    (void)uid;
    (void)capacity;
    (void)create_flags;
    return PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t psa_ps_set_extended(psa_storage_uid_t uid, size_t data_offset, size_t data_length,
                                 const void *p_data)
{
    (void)uid;
    (void)data_offset;
    (void)data_length;
    (void)p_data;
    return PSA_ERROR_NOT_SUPPORTED;
}

uint32_t psa_ps_get_support(void)
{
    return 0;
}
