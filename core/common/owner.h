/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The caller's number, if other programs have keys, too (CORRAL_WALL). The code that
 * runs calls for them sets it before each call, and resets it afterwards.
 */
#ifndef CORRAL_CORE_COMMON_OWNER_H
#define CORRAL_CORE_COMMON_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/config.h>

/* 0: this program itself. */
typedef uint32_t corral_owner_t;

extern corral_owner_t corral_owner;

/* Whether the caller is another program. */
static inline bool corral_owner_is_client(void)
{
    return CORRAL_WALL && corral_owner != 0;
}

/* Set the present caller; returns the one before. */
static inline corral_owner_t corral_owner_become(corral_owner_t owner)
{
    const corral_owner_t before = CORRAL_WALL ? corral_owner : 0;

    if (CORRAL_WALL) {
        corral_owner = owner;
    }
    return before;
}

/* How many of so many places one client may take. Rounded down, so that two clients with half each
 * never lack what the other took; but one at least. */
#define CORRAL_OWNER_SHARE(places)                                                                 \
    ((size_t)(CORRAL_WALL_SHARE * (uint32_t)(places) < 100u                                        \
                  ? (uint32_t)((places) > 0)                                                       \
                  : CORRAL_WALL_SHARE * (uint32_t)(places) / 100u))

#endif
