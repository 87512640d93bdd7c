/* SPDX-License-Identifier: Apache-2.0 */
#include <psa/internal_trusted_storage.h>

#include <corral/driver.h>

#include "owner.h"
#include "store.h"

psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags)
{
    if (uid == 0 || (p_data == NULL && data_length != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((create_flags & ~CORRAL_STORE_ALL_FLAGS) != 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (!corral_uid_is_possible(uid)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return corral_store_set(corral_space_of_mine(CORRAL_SPACE_ITS), corral_uid_of_mine(uid),
                            (uint8_t)create_flags, p_data, data_length);
}

/*
 * Read an entry. Damage has no status of its own in this interface; flags that psa_its_set() does
 * not take are damage, too.
 */
static psa_status_t read_entry(psa_storage_uid_t uid, size_t offset, void *data, size_t data_size,
                               struct psa_storage_info_t *info)
{
    size_t size = 0;
    uint8_t flags = 0;

    if (!corral_uid_is_possible(uid)) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    psa_status_t status =
        corral_store_get(corral_space_of_mine(CORRAL_SPACE_ITS), corral_uid_of_mine(uid), offset,
                         data, data_size, &size, &flags);
    if (status == PSA_ERROR_DATA_CORRUPT || (flags & ~CORRAL_STORE_ALL_FLAGS) != 0) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    *info = (struct psa_storage_info_t){.capacity = size, .size = size, .flags = flags};
    return status;
}

psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                         size_t *p_data_length)
{
    struct psa_storage_info_t info;

    *p_data_length = 0;
    if (uid == 0 || (p_data == NULL && data_size != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, data_offset, p_data, data_size, &info);
    if (status != PSA_SUCCESS) {
        /* A port may have read before it saw that the entry is damaged. */
        corral_wipe(p_data, data_size);
        return status;
    }
    if (data_offset > info.size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *p_data_length = data_size < info.size - data_offset ? data_size : info.size - data_offset;
    return PSA_SUCCESS;
}

psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    struct psa_storage_info_t info;

    if (uid == 0 || p_info == NULL) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = read_entry(uid, 0, NULL, 0, &info);
    if (status == PSA_SUCCESS) {
        /* One by one: bytes between them are not the entry's. */
        p_info->capacity = info.capacity;
        p_info->size = info.size;
        p_info->flags = info.flags;
    }
    return status;
}

psa_status_t psa_its_remove(psa_storage_uid_t uid)
{
    if (uid == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_uid_is_possible(uid) ? corral_store_remove(corral_space_of_mine(CORRAL_SPACE_ITS),
                                                             corral_uid_of_mine(uid))
                                       : PSA_ERROR_DOES_NOT_EXIST;
}
