/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose an entry is (CORRAL_WALL). Entries of this program itself have their numbers in the
 * spaces of enum corral_space, as in builds without clients: data that an application
 * stored before it became a client is this program's. Those of clients have spaces of their
 * own, where the upper half of a number is the owner: so a client's numbers have 32 bits.
 */
#ifndef CORRAL_STORAGE_OWNER_H
#define CORRAL_STORAGE_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/common/owner.h"
#include "bytes.h"
#include "entry.h"

/* Bytes that are authenticated with an entry of a client, behind its header. */
#define CORRAL_OWNER_SIZE (CORRAL_WALL ? 4u : 0u)

/* Whether whoever calls can have an entry of this number. */
static inline bool corral_uid_is_possible(uint64_t uid)
{
    return !corral_owner_is_client() || uid <= UINT32_MAX;
}

/* The name under which an entry of the caller is stored. CORRAL_WALL is asked, too, for
 * compilers that do not optimise: elsewhere there is no corral_owner. */
static inline enum corral_space corral_space_of_mine(enum corral_space space)
{
    return corral_owner_is_client() ? (enum corral_space)(space | CORRAL_SPACE_OF_CLIENTS) : space;
}

static inline uint64_t corral_uid_of_mine(uint64_t uid)
{
    return CORRAL_WALL && corral_owner_is_client() ? (uint64_t)corral_owner << 32 | uid : uid;
}

/* Put behind a header whose it is: the number of bytes, 0 for this program's own. */
static inline size_t corral_put_owner(uint8_t *to)
{
    if (!CORRAL_WALL || !corral_owner_is_client()) {
        return 0;
    }
    corral_put(to, corral_owner, CORRAL_OWNER_SIZE);
    return CORRAL_OWNER_SIZE;
}

#endif
