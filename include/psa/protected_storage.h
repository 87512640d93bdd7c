/* SPDX-License-Identifier: Apache-2.0 */
/* Protected storage: entries in external storage, protected by cryptography (PSA Secure
 * Storage 1.0). */
#ifndef PSA_PROTECTED_STORAGE_H
#define PSA_PROTECTED_STORAGE_H

#include "storage_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PSA_PS_API_VERSION_MAJOR 1
#define PSA_PS_API_VERSION_MINOR 0

/* Stores an entry of data_length bytes, which may be 0, replacing one of the same uid. Capacity
 * and size become data_length. Section 5.4.3.
 *   PSA_ERROR_NOT_PERMITTED         the entry exists and was created with
 *                                   PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_INVALID_ARGUMENT      uid is 0, or the data is not readable
 *   PSA_ERROR_NOT_SUPPORTED         create_flags has a flag that is unknown or cannot be honoured
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room
 *   PSA_ERROR_STORAGE_FAILURE       the medium failed
 *   PSA_ERROR_GENERIC_ERROR         anything else */
psa_status_t psa_ps_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                        psa_storage_create_flags_t create_flags);

/* Reads an entry from data_offset on: *p_data_length bytes, the lesser of data_size and
 * the rest after data_offset. Bytes of the buffer beyond them stay as they are. On
 * failure *p_data_length is 0, and the buffer stays as it is. Section 5.4.4.
 *   PSA_ERROR_INVALID_SIGNATURE  the entry is not authentic
 *   PSA_ERROR_DOES_NOT_EXIST     there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT   uid is 0, data_offset lies beyond the end, or the buffer is not
 *                                writable
 *   PSA_ERROR_STORAGE_FAILURE    the medium failed
 *   PSA_ERROR_DATA_CORRUPT       the entry is damaged
 *   PSA_ERROR_GENERIC_ERROR      anything else */
psa_status_t psa_ps_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                        size_t *p_data_length);

/* Gives capacity, size and flags of an entry. On failure *p_info stays as it is. Section 5.4.5.
 *   PSA_ERROR_INVALID_SIGNATURE  the entry is not authentic
 *   PSA_ERROR_DOES_NOT_EXIST     there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT   uid is 0, or *p_info is not writable
 *   PSA_ERROR_STORAGE_FAILURE    the medium failed
 *   PSA_ERROR_DATA_CORRUPT       the entry is damaged
 *   PSA_ERROR_GENERIC_ERROR      anything else */
psa_status_t psa_ps_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info);

/* Removes an entry and its protection from replay. Section 5.4.6.
 *   PSA_ERROR_NOT_PERMITTED     the entry was created with PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT  uid is 0
 *   PSA_ERROR_STORAGE_FAILURE   the medium failed
 *   PSA_ERROR_GENERIC_ERROR     anything else */
psa_status_t psa_ps_remove(psa_storage_uid_t uid);

/* Reserves capacity bytes for an entry of size 0, to be filled by psa_ps_set_extended(). Optional:
 * see psa_ps_get_support(). Section 5.4.7.
 *   PSA_ERROR_ALREADY_EXISTS        there is an entry with this uid; it cannot be resized
 *   PSA_ERROR_INVALID_ARGUMENT      uid is 0
 *   PSA_ERROR_NOT_SUPPORTED         the function is not implemented, or create_flags has
 *                                   PSA_STORAGE_FLAG_WRITE_ONCE or a flag that cannot be honoured
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room
 *   PSA_ERROR_STORAGE_FAILURE       the medium failed
 *   PSA_ERROR_GENERIC_ERROR         anything else */
psa_status_t psa_ps_create(psa_storage_uid_t uid, size_t capacity,
                           psa_storage_create_flags_t create_flags);

/* Writes data_length bytes at data_offset of an existing entry, extending it if they reach beyond
 * its end. No gap may arise (data_offset at most the size), and the capacity is the limit.
 * Optional: see psa_ps_get_support(). Section 5.4.8.
 *   PSA_ERROR_NOT_PERMITTED      the entry was created with PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_INVALID_SIGNATURE  what the entry holds is not authentic
 *   PSA_ERROR_DOES_NOT_EXIST     there is no such entry
 *   PSA_ERROR_INVALID_ARGUMENT   uid is 0, the data is not readable, or offset and length leave a
 *                                gap or exceed the capacity
 *   PSA_ERROR_NOT_SUPPORTED      the function is not implemented
 *   PSA_ERROR_STORAGE_FAILURE    the medium failed
 *   PSA_ERROR_DATA_CORRUPT       what the entry holds is damaged
 *   PSA_ERROR_GENERIC_ERROR      anything else */
psa_status_t psa_ps_set_extended(psa_storage_uid_t uid, size_t data_offset, size_t data_length,
                                 const void *p_data);

/* Tells which optional functions are implemented: PSA_STORAGE_SUPPORT_xxx bits, or 0. Section
 * 5.4.9. */
uint32_t psa_ps_get_support(void);

#ifdef __cplusplus
}
#endif

#endif
