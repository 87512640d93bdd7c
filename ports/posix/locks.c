/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One mutex for each lock of the library. fork() waits until no other thread is at work in the
 * library, because the child has no other thread that could finish it.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <corral/lock.h>

#define NOBODY ((uintptr_t)0)

/* The system's own mutexes that know their owner are slower where a process has one thread. */
static struct lock {
    pthread_mutex_t mutex;
    atomic_uintptr_t owner; /* by which a lock taken twice or given back by another is found */
} locks[CORRAL_LOCK_COUNT];

static bool is_taken_to_fork[CORRAL_LOCK_COUNT];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
/* Looked at first: a child that is forked while a thread is still in pthread_once() must not
 * prepare again, which would have fork() take each lock twice. */
static atomic_bool is_prepared;

/* Its address is the thread's name, in the child of a fork(), too. */
static _Thread_local char mark;

/* Only the owner writes its name, so no other thread finds its own. */
static bool is_mine(const struct lock *lock)
{
    return atomic_load_explicit(&lock->owner, memory_order_relaxed) == (uintptr_t)&mark;
}

/* False if the thread has it already. */
static bool take(struct lock *lock)
{
    if (is_mine(lock) || pthread_mutex_lock(&lock->mutex) != 0) {
        return false;
    }
    atomic_store_explicit(&lock->owner, (uintptr_t)&mark, memory_order_relaxed);
    return true;
}

/* False if the thread has it not. */
static bool give_back(struct lock *lock)
{
    if (!is_mine(lock)) {
        return false;
    }
    atomic_store_explicit(&lock->owner, NOBODY, memory_order_relaxed);
    return pthread_mutex_unlock(&lock->mutex) == 0;
}

static void make(struct lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
    atomic_store_explicit(&lock->owner, NOBODY, memory_order_relaxed);
}

/*
 * In the order of corral/lock.h: lock 0 last. A signal handler that forks may find that its own
 * thread has one of them.
 */
static void before_fork(void)
{
    for (size_t i = CORRAL_LOCK_COUNT; i-- > 0;) {
        is_taken_to_fork[i] = take(&locks[i]);
    }
}

static void after_fork(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        if (is_taken_to_fork[i]) {
            give_back(&locks[i]);
        }
    }
}

/*
 * In the child others may seem to wait, whom it has not, so locks are made anew. The
 * forking thread keeps its locks, and continues to release them.
 */
static void after_fork_in_child(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        make(&locks[i]);
        if (!is_taken_to_fork[i]) {
            take(&locks[i]);
        }
    }
    atomic_store_explicit(&is_prepared, true, memory_order_release);
}

static void prepare(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        make(&locks[i]);
    }
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
    if (lock >= CORRAL_LOCK_COUNT || !take(&locks[lock])) {
        abort(); /* going on without the lock would be worse */
    }
}

void corral_port_unlock(unsigned lock)
{
    if (lock >= CORRAL_LOCK_COUNT || !give_back(&locks[lock])) {
        abort();
    }
}
