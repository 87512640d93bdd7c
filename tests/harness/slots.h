/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SLOTS_H
#define TEST_SLOTS_H

#include "../../core/keys/pool.h"

/* Free all slots, as if memory had lost its power. */
static inline void slots_lose_power(void)
{
    struct corral_key *key;

    for (size_t i = 0; (key = corral_key_at(i)) != NULL; i++) {
        if (key->state != CORRAL_KEY_FREE) {
            corral_key_free(key);
        }
    }
}

#endif
