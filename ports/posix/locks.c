/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locks of the library. One that is free is taken by one exchange, and given back by another: a
 * call of the library takes lock 0 at least twice, which with mutexes was most of what it cost.
 * fork() waits until no other thread is at work in the library, because the child has no other
 * thread that could finish it.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <corral/lock.h>

/* Not 0, which owners are at first: so the first thread of all does not find a lock free. */
#define FREE ((uintptr_t)2)
/* Added to an owner: somebody sleeps, or did and may not have been the only one. */
#define WAITED_FOR ((uintptr_t)1)
/* So often a lock is looked at before its owner is waited for: it is held for a short time. */
#define LOOKS 100u

static struct lock {
    atomic_uintptr_t owner; /* by which a lock taken twice or given back by another is found */
    sem_t given_back;
} locks[CORRAL_LOCK_COUNT];

static bool is_taken_to_fork[CORRAL_LOCK_COUNT];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* Its address is the thread's name: no other one has it meanwhile, and in a copy of the process the
 * thread that goes on has it, too. */
static _Thread_local uintptr_t mark;

static uintptr_t myself(void)
{
    return (uintptr_t)&mark;
}

static bool is_mine(uintptr_t owner)
{
    return (owner & ~WAITED_FOR) == myself();
}

static bool change_owner(struct lock *lock, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong_explicit(&lock->owner, &from, to, memory_order_acquire,
                                                   memory_order_relaxed);
}

/*
 * Sleep until the owner that was seen gives the lock back, or a signal comes, or for no reason: of
 * earlier sleeps something may be left in the semaphore. False if there was no such owner any more.
 */
static bool sleep_for(struct lock *lock, uintptr_t owner)
{
    const bool is_told = (owner & WAITED_FOR) != 0 || change_owner(lock, owner, owner | WAITED_FOR);

    if (is_told) {
        sem_wait(&lock->given_back);
    }
    return is_told;
}

/* False if the thread has the lock already. */
static bool take_from_others(struct lock *lock)
{
    uintptr_t me = myself();
    unsigned looks = 0;

    for (;;) {
        const uintptr_t owner = atomic_load_explicit(&lock->owner, memory_order_relaxed);
        if (is_mine(owner)) {
            return false;
        }
        if (owner == FREE) {
            if (change_owner(lock, FREE, me)) {
                return true;
            }
        } else if (looks < LOOKS) {
            looks++;
        } else if (sleep_for(lock, owner)) {
            me = myself() | WAITED_FOR; /* the next one who sleeps is for this thread to wake */
        }
    }
}

static bool take(struct lock *lock)
{
    return change_owner(lock, FREE, myself()) || take_from_others(lock);
}

static void give_back(struct lock *lock)
{
    const uintptr_t owner = atomic_exchange_explicit(&lock->owner, FREE, memory_order_release);

    if (!is_mine(owner)) {
        abort();
    }
    if ((owner & WAITED_FOR) != 0) {
        sem_post(&lock->given_back); /* which is full only if it would wake everybody anyway */
    }
}

/* A lock for which nobody sleeps. */
static void make(struct lock *lock, uintptr_t owner)
{
    if (sem_init(&lock->given_back, 0, 0) != 0) {
        abort();
    }
    atomic_store_explicit(&lock->owner, owner, memory_order_release);
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
 * In the child nobody waits, so locks are made anew. What the forking thread had already, it has,
 * and it goes on to give it back.
 */
static void after_fork_in_child(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        make(&locks[i], is_taken_to_fork[i] ? FREE : myself());
    }
}

/* The locks are nobody else's before fork() knows of them. */
static void prepare(void)
{
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        make(&locks[i], myself());
    }
    if (pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0) {
        abort();
    }
    for (size_t i = 0; i < CORRAL_LOCK_COUNT; i++) {
        give_back(&locks[i]);
    }
}

/* What is not short: the first time of all, another owner, a misuse. */
static void take_otherwise(unsigned lock)
{
    pthread_once(&prepared, prepare);
    if (lock >= CORRAL_LOCK_COUNT || !take(&locks[lock])) {
        abort(); /* going on without the lock would be worse */
    }
}

void corral_port_lock(unsigned lock)
{
    if (lock >= CORRAL_LOCK_COUNT || !change_owner(&locks[lock], FREE, myself())) {
        take_otherwise(lock);
    }
}

void corral_port_unlock(unsigned lock)
{
    if (lock >= CORRAL_LOCK_COUNT) {
        abort();
    }
    give_back(&locks[lock]);
}
