/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The port's locks, of which one can be left out: tests show that they would notice. The
 * environment names it: CORRAL_TEST_WITHOUT_LOCK, a number of corral/lock.h. Threads that take
 * several take them in the order that it says, so that none waits for another that waits for it.
 */
#include "locks.h"

#include <stdbool.h>
#include <stdlib.h>

#include <corral/lock.h>

#include "harness.h"

void __real_corral_port_lock(unsigned lock);
void __real_corral_port_unlock(unsigned lock);
void __wrap_corral_port_lock(unsigned lock);
void __wrap_corral_port_unlock(unsigned lock);

static unsigned missing = CORRAL_LOCK_COUNT;
static _Thread_local bool held[CORRAL_LOCK_COUNT];

__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("CORRAL_TEST_WITHOUT_LOCK");

    if (number != NULL) {
        missing = (unsigned)strtoul(number, NULL, 10);
    }
}

void locks_need(unsigned lock)
{
    const bool is_held = held[lock];

    CHECK(is_held);
    if (!is_held && lock == missing) {
        exit(EXIT_FAILURE);
    }
}

/* The lowest number that this thread holds, or CORRAL_LOCK_COUNT. */
static unsigned lowest_held(void)
{
    unsigned lock = 0;

    while (lock < CORRAL_LOCK_COUNT && !held[lock]) {
        lock++;
    }
    return lock;
}

void __wrap_corral_port_lock(unsigned lock)
{
    if (lock == missing) {
        return;
    }
    CHECK(lock < lowest_held());
    __real_corral_port_lock(lock);
    held[lock] = true;
}

void __wrap_corral_port_unlock(unsigned lock)
{
    if (lock == missing) {
        return;
    }
    CHECK(held[lock]);
    held[lock] = false;
    __real_corral_port_unlock(lock);
}
