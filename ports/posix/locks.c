/* SPDX-License-Identifier: Apache-2.0 */
/* One mutex for each lock of the library. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>

#include <corral/lock.h>

static pthread_mutex_t locks[CORRAL_LOCK_COUNT];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    pthread_mutexattr_t attributes;

    /* A mutex that knows its owner: a lock taken twice or given back by another is found. */
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        pthread_mutex_init(&locks[i], &attributes);
    }
    pthread_mutexattr_destroy(&attributes);
}

void corral_port_lock(unsigned lock)
{
    pthread_once(&prepared, prepare);
    if (lock >= CORRAL_LOCK_COUNT || pthread_mutex_lock(&locks[lock]) != 0) {
        abort(); /* going on without the lock would be worse */
    }
}

void corral_port_unlock(unsigned lock)
{
    if (lock >= CORRAL_LOCK_COUNT || pthread_mutex_unlock(&locks[lock]) != 0) {
        abort();
    }
}
