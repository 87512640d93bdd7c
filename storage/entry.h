/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of entries of the storage: owner, flags, and urgency. */
#ifndef CORRAL_STORAGE_ENTRY_H
#define CORRAL_STORAGE_ENTRY_H

#include <corral/bindings.h>
#include <corral/config.h>
#include <corral/port.h>
#include <psa/storage_common.h>

/* A bit beside the spaces of corral/port.h: of entries of clients (storage/owner.h). */
#define CORRAL_SPACE_OF_CLIENTS (CORRAL_WALL ? 4u : 0u)

/* Which of the enumeration a space is, whosever it is. */
static inline uint8_t corral_space_kind(uint8_t space)
{
    return (uint8_t)(space & ~CORRAL_SPACE_OF_CLIENTS);
}

/* Every flag that there is. */
#define CORRAL_STORE_ALL_FLAGS                                                                     \
    (PSA_STORAGE_FLAG_WRITE_ONCE | PSA_STORAGE_FLAG_NO_CONFIDENTIALITY |                           \
     PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION)

/* Kept with an entry, and no flag of the API: its capacity may be more than its size (ps.c). */
#define CORRAL_STORE_CAPACITY 0x08u
#define CORRAL_STORE_HAS_PARTS (!CORRAL_WALL || !CORRAL_STORAGE_IN_FLASH)

/*
 * Not kept: the entry may take the room that other entries have to leave, for two of at most
 * CORRAL_STORE_NOTE_SIZE and CORRAL_STORE_MANIFEST_SIZE bytes of data; 0: there are none such. Only
 * what replaces an entry may, and the manifest.
 */
#define CORRAL_STORE_URGENT 0x80
/* That a key in an element is being destroyed. */
#define CORRAL_STORE_NOTE_SIZE (CORRAL_PERSISTENT_KEYS && CORRAL_ELEMENT_COUNT > 0 ? 96u : 0u)
/* The sum of the sealed entries (storage/rollback.h). */
#define CORRAL_STORE_MANIFEST_SIZE (CORRAL_ROLLBACK_DETECTION ? 53u : 0u)

/* Position of the tag of a stored key; that of an entry of protected storage comes first. */
#define CORRAL_STORE_KEY_TAG_AT 30u

#endif
