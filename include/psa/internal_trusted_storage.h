/* SPDX-License-Identifier: Apache-2.0 */
/* Internal trusted storage: small entries in storage that the device itself protects (PSA Secure
 * Storage 1.0). */
#ifndef PSA_INTERNAL_TRUSTED_STORAGE_H
#define PSA_INTERNAL_TRUSTED_STORAGE_H

#include "storage_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PSA_ITS_API_VERSION_MAJOR 1
#define PSA_ITS_API_VERSION_MINOR 0

/* Stores an entry of data_length bytes, which may be 0, replacing one of the same uid. It is there
 * entirely or not at all, even if power fails meanwhile. Section 5.3.3.
 *   PSA_ERROR_NOT_PERMITTED         the entry exists and was created with
 *                                   PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_INVALID_ARGUMENT      uid is 0, or the data is not readable
 *   PSA_ERROR_NOT_SUPPORTED         create_flags has a flag that is unknown or cannot be honoured
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room
 *   PSA_ERROR_STORAGE_FAILURE       the medium failed */
psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags);

/* Reads an entry from data_offset on: *p_data_length bytes, the lesser of data_size and the rest
 * after data_offset. Bytes of the buffer beyond them stay as they are. On failure *p_data_length is
 * 0, and the buffer holds zeros, or what it did if an argument is invalid. Section 5.3.4.
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT  uid is 0, data_offset lies beyond the end, or the buffer is not
 *                               writable
 *   PSA_ERROR_STORAGE_FAILURE   the medium failed */
psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                         size_t *p_data_length);

/* Gives capacity, size and flags of an entry. On failure *p_info stays as it is. Section 5.3.5.
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT  uid is 0, or *p_info is not writable
 *   PSA_ERROR_STORAGE_FAILURE   the medium failed */
psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info);

/* Removes an entry. Section 5.3.6.
 *   PSA_ERROR_NOT_PERMITTED     the entry was created with PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT  uid is 0
 *   PSA_ERROR_STORAGE_FAILURE   the medium failed */
psa_status_t psa_its_remove(psa_storage_uid_t uid);

#ifdef __cplusplus
}
#endif

#endif
