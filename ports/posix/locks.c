/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mutex for each lock of the library. fork() waits until no other thread is at work in the
 * library, because the child has no other thread that could finish it.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <corral/lock.h>

static pthread_mutex_t locks[CORRAL_LOCK_COUNT];
static bool is_taken_to_fork[CORRAL_LOCK_COUNT];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
/* Looked at first: a child that is forked while a thread is still in pthread_once() must not prepare
 * again, which would have fork() take each lock twice. */
static atomic_bool is_prepared;

/* A mutex that knows its owner: a lock taken twice or given back by another is found. */
static void make_locks(void)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        pthread_mutex_init(&locks[i], &attributes);
    }
    pthread_mutexattr_destroy(&attributes);
}

/*
 * In the order of corral/lock.h: lock 0 last. A signal handler that forks may find that its own
 * thread has one of them.
 */
static void before_fork(void)
{
    for (size_t i = CORRAL_LOCK_COUNT; i-- > 0;) {
        is_taken_to_fork[i] = pthread_mutex_lock(&locks[i]) == 0;
    }
}

static void after_fork(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        if (is_taken_to_fork[i]) {
            pthread_mutex_unlock(&locks[i]);
        }
    }
}

/*
 * In the child the mutexes belong to a thread that it has not, so they are made anew. What the
 * forking thread had already, it has, and it goes on to give it back.
 */
static void after_fork_in_child(void)
{
    make_locks();
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        if (!is_taken_to_fork[i]) {
            pthread_mutex_lock(&locks[i]);
        }
    }
    atomic_store_explicit(&is_prepared, true, memory_order_release);
}

static void prepare(void)
{
    make_locks();
    if (pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0) {
        abort();
    }
    atomic_store_explicit(&is_prepared, true, memory_order_release);
}

void corral_port_lock(unsigned lock)
{
    if (!atomic_load_explicit(&is_prepared, memory_order_acquire)) {
        pthread_once(&prepared, prepare);
    }
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
