/* SPDX-License-Identifier: Apache-2.0 */
/* The port's locks: each is taken when it is free, and released by its owner. */
#include <corral/lock.h>

#include "proof.h"

static bool is_held[CORRAL_LOCK_COUNT];
static unsigned held;

void corral_port_lock(unsigned lock)
{
    CLAIM(lock < CORRAL_LOCK_COUNT, "the lock exists");
    CLAIM(!is_held[lock], "a lock that is held is not taken again");
    is_held[lock] = true;
    held++;
}

void corral_port_unlock(unsigned lock)
{
    CLAIM(lock < CORRAL_LOCK_COUNT, "the lock exists");
    CLAIM(is_held[lock], "a lock that is given back was held");
    is_held[lock] = false;
    held--;
}

bool proof_no_lock_is_held(void)
{
    return held == 0;
}

bool proof_lock_is_held(unsigned lock)
{
    return is_held[lock];
}
