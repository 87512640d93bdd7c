/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/lock.h>
#include <corral/slots.h>

#include "pool.h"

static void count(const struct corral_key *key, struct corral_slot_use *use)
{
    if (key->state == CORRAL_KEY_FREE) {
        use->unused++;
    } else if (key->state != CORRAL_KEY_READY) {
        use->busy++;
    } else if (corral_key_is_persistent(key)) {
        use->persistent_keys++;
    } else {
        use->volatile_keys++;
    }
    use->held += key->holds > 0;
}

static struct corral_slot_use use_of(unsigned pool)
{
    struct corral_slot_use use = {0, 0, 0, 0, 0};
    const struct corral_key *key;

    for (size_t index = 0; (key = corral_pool_slot(pool, index)) != NULL; index++) {
        count(key, &use);
    }
    return use;
}

void corral_slots_count(struct corral_slots *slots)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    slots->single = use_of(CORRAL_POOL_SINGLE);
    slots->pair = use_of(CORRAL_POOL_PAIR);
    slots->in_element = use_of(CORRAL_POOL_PROTECTED);
    corral_lock_leave(CORRAL_LOCK_CORE);
}
