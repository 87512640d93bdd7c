/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries by number, in flash or in files: the base of psa_its_*, psa_ps_* and
 * persistent keys. An entry is written and removed wholly or not at all, also when
 * power fails. Each function takes the storage's lock.
 */
#ifndef CORRAL_STORAGE_STORE_H
#define CORRAL_STORAGE_STORE_H

#include <corral/port.h>

#include "entry.h"

/*
 * Whether an entry is write-once. Damage does not lift the flag: a client could wear out the flash.
 * Keys are never made with it; their flags are no flags when they are damaged.
 */
static inline bool corral_is_write_once(uint8_t space, psa_status_t status, uint8_t flags)
{
    return (status == PSA_SUCCESS || status == PSA_ERROR_DATA_CORRUPT) &&
           (corral_space_kind(space) == CORRAL_SPACE_ITS ||
            corral_space_kind(space) == CORRAL_SPACE_PS) &&
           (flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0;
}

/*
 * Store an entry, replacing one of the same name.
 *   PSA_ERROR_NOT_PERMITTED         it exists, made with PSA_STORAGE_FLAG_WRITE_ONCE; damaged, too
 *   PSA_ERROR_INSUFFICIENT_STORAGE  no room, or more data than one page holds, or as much as one
 *                                   client may have
 *   PSA_ERROR_STORAGE_FAILURE       the medium failed, or is no storage of this library
 */
psa_status_t corral_store_set(enum corral_space space, uint64_t uid, uint8_t flags,
                              const uint8_t *data, size_t length);

/*
 * Whether corral_store_set() of an entry of this size would find room. Flash makes the room, as far
 * as that goes without the entry; of files only the share of a client is known. This is for callers
 * that write something else before the entry.
 *   PSA_ERROR_NOT_PERMITTED, PSA_ERROR_INSUFFICIENT_STORAGE, PSA_ERROR_STORAGE_FAILURE  as above
 */
psa_status_t corral_store_check_room(enum corral_space space, uint64_t uid, uint8_t flags,
                                     size_t length);

/*
 * Read at most `size` bytes from `offset` on.
 *   *length  bytes of the whole entry; `flags` are those it was made with
 *   PSA_ERROR_DOES_NOT_EXIST   no such entry; nothing is written
 *   PSA_ERROR_DATA_CORRUPT     its checksum is wrong; `data` is unspecified, and so are `flags` if
 *                              they are damaged, too: they stay as they were, or are what is read
 *   PSA_ERROR_STORAGE_FAILURE  as above
 */
psa_status_t corral_store_get(enum corral_space space, uint64_t uid, size_t offset, uint8_t *data,
                              size_t size, size_t *length, uint8_t *flags);

/*
 * Remove an entry. There is always room for that.
 *   PSA_ERROR_DOES_NOT_EXIST   no such entry
 *   PSA_ERROR_NOT_PERMITTED    it was made with PSA_STORAGE_FLAG_WRITE_ONCE
 *   PSA_ERROR_STORAGE_FAILURE  as above
 */
psa_status_t corral_store_remove(enum corral_space space, uint64_t uid);

/*
 * Go from *uid to the next higher number that has an entry; begin with 0.
 *   PSA_ERROR_DOES_NOT_EXIST  there is none; *uid stays
 */
psa_status_t corral_store_next(enum corral_space space, uint64_t *uid);

/* Forget what is known of the medium: it is examined again at the next call. For tests. */
void corral_store_unmount(void);

#endif
