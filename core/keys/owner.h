/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose a key is. Only its owner finds it, so an identifier names a key of the caller.
 * If only this program has keys, all of this is empty.
 */
#ifndef CORRAL_CORE_KEYS_OWNER_H
#define CORRAL_CORE_KEYS_OWNER_H

#include "../common/owner.h"
#include "key.h"

/* The owner is one of the words that tell keys with one identifier apart, behind the others. */
#define CORRAL_OWNER_WORD (CORRAL_WALL ? CORRAL_KEY_NUMBER_WORDS : 0)

static inline void corral_key_make_mine(struct corral_key *key)
{
    if (CORRAL_WALL) {
        key->number.words[CORRAL_OWNER_WORD] = corral_owner;
    }
}

static inline bool corral_key_is_mine(const struct corral_key *key)
{
    return !CORRAL_WALL || key->number.words[CORRAL_OWNER_WORD] == corral_owner;
}

#endif
