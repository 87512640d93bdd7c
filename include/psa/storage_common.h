/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions that internal trusted storage and protected storage share (PSA Secure Storage 1.0).
 */
#ifndef PSA_STORAGE_COMMON_H
#define PSA_STORAGE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Flags given when an entry is created: PSA_STORAGE_FLAG_xxx. */
typedef uint32_t psa_storage_create_flags_t;

/* Identifier of an entry, chosen by the application. 0 is not valid. */
typedef uint64_t psa_storage_uid_t;

/* Properties of an entry.
 * capacity: bytes reserved for its data; size: bytes of data it holds; flags: those it was created
 * with. */
struct psa_storage_info_t {
    size_t capacity;
    size_t size;
    psa_storage_create_flags_t flags;
};

/* No flag: the entry is confidential, protected from replay, and may be changed. */
#define PSA_STORAGE_FLAG_NONE 0u

/* The entry can be neither changed nor removed. */
#define PSA_STORAGE_FLAG_WRITE_ONCE (1u << 0)

/* The application does without confidentiality. The storage may provide it all the same. */
#define PSA_STORAGE_FLAG_NO_CONFIDENTIALITY (1u << 1)

/* The application does without protection from replay. The storage may provide it all the
 * same. */
#define PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION (1u << 2)

/* Bit of psa_ps_get_support(): psa_ps_create() and psa_ps_set_extended() are implemented. */
#define PSA_STORAGE_SUPPORT_SET_EXTENDED (1u << 0)

#endif
