/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The port's locks, of which one can be left out: tests with threads show that they would notice.
 * The environment names it: CORRAL_TEST_WITHOUT_LOCK, a number of corral/lock.h.
 */
#include <stdlib.h>

#include <corral/lock.h>

void __real_corral_port_lock(unsigned lock);
void __real_corral_port_unlock(unsigned lock);
void __wrap_corral_port_lock(unsigned lock);
void __wrap_corral_port_unlock(unsigned lock);

static unsigned missing = CORRAL_LOCK_COUNT;

__attribute__((constructor)) static void choose(void)
{
    const char *number = getenv("CORRAL_TEST_WITHOUT_LOCK");

    if (number != NULL) {
        missing = (unsigned)strtoul(number, NULL, 10);
    }
}

void __wrap_corral_port_lock(unsigned lock)
{
    if (lock != missing) {
        __real_corral_port_lock(lock);
    }
}

void __wrap_corral_port_unlock(unsigned lock)
{
    if (lock != missing) {
        __real_corral_port_unlock(lock);
    }
}
