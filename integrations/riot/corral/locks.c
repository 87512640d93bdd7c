/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex for each lock. A mutex of zeros is unlocked (MUTEX_INIT). */
#include <corral/lock.h>

#include "mutex.h"

static mutex_t locks[CORRAL_LOCK_COUNT];

void corral_port_lock(unsigned lock)
{
    mutex_lock(&locks[lock]);
}

void corral_port_unlock(unsigned lock)
{
    mutex_unlock(&locks[lock]);
}
