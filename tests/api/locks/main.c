/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locks of a POSIX process: one owner at a time, nobody sleeps for ever, misuse ends the
 * program, and both processes of a fork() have theirs. The linker leads sem_wait() here.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <corral/lock.h>

#include "../../harness/harness.h"

#define LOCK CORRAL_LOCK_CORE
#define THREADS 8u
#define ROUNDS 20000u
#define OFTEN 32u
/* Instead of waiting for ever. */
#define SECONDS 200u

static atomic_uint sleeps;        /* calls of sem_wait() */
static atomic_uint interruptions; /* so many of the next ones end at once, as by a signal */

int __real_sem_wait(sem_t *semaphore);
int __wrap_sem_wait(sem_t *semaphore);

int __wrap_sem_wait(sem_t *semaphore)
{
    atomic_fetch_add(&sleeps, 1);
    if (atomic_load(&interruptions) > 0) {
        atomic_fetch_sub(&interruptions, 1);
        errno = EINTR;
        return -1;
    }
    return __real_sem_wait(semaphore);
}

static void wait_for_sleeps(unsigned count)
{
    while (atomic_load(&sleeps) < count) {
        sched_yield();
    }
}

/* Not atomic: what they are guarded by is the lock. */
static unsigned inside;
static unsigned entered;
static unsigned collisions;

/* How often each of the threads enters; set before they start. */
static unsigned rounds;

static void enter_once(void)
{
    corral_port_lock(LOCK);
    collisions += inside;
    inside++;
    entered++;
    if (entered % OFTEN == 0) {
        sched_yield(); /* so that others sleep; else they find the lock free */
    }
    inside--;
    corral_port_unlock(LOCK);
}

static void *enter(void *unused)
{
    for (unsigned i = 0; i < rounds; i++) {
        enter_once();
    }
    return unused;
}

static void start(pthread_t *threads, unsigned count, unsigned rounds_of_each)
{
    rounds = rounds_of_each;
    entered = 0;
    collisions = 0;
    atomic_store(&sleeps, 0);
    for (unsigned i = 0; i < count; i++) {
        REQUIRE(pthread_create(&threads[i], NULL, enter, NULL) == 0);
    }
}

static void end(const pthread_t *threads, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(entered == count * rounds);
    CHECK(collisions == 0);
}

static void lock__wanted_by_many__has_one_owner_at_a_time(void)
{
    pthread_t threads[THREADS];

    start(threads, THREADS, ROUNDS);
    end(threads, THREADS);
    CHECK(atomic_load(&sleeps) > 0);
}

static void lock__given_back__wakes_all_who_sleep(void)
{
    pthread_t threads[THREADS];

    corral_port_lock(LOCK);
    start(threads, THREADS, 1);
    wait_for_sleeps(THREADS);
    CHECK(entered == 0);
    corral_port_unlock(LOCK);
    end(threads, THREADS);
}

static void sleep__interrupted__does_not_take_the_lock(void)
{
    pthread_t thread;

    corral_port_lock(LOCK);
    atomic_store(&interruptions, 3);
    start(&thread, 1, 1);
    wait_for_sleeps(4);
    CHECK(entered == 0);
    corral_port_unlock(LOCK);
    end(&thread, 1);
}

/* The status that a child ends with, which does this and nothing else. */
static int status_of(void (*work)(void))
{
    int status = 0;

    const pid_t child = fork();
    if (child == 0) {
        static const struct rlimit no_core;
        setrlimit(RLIMIT_CORE, &no_core);
        alarm(SECONDS);
        work();
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

static void take_twice(void)
{
    corral_port_lock(LOCK);
    corral_port_lock(LOCK);
}

static void give_back_what_nobody_has(void)
{
    corral_port_lock(LOCK);
    corral_port_unlock(LOCK);
    corral_port_unlock(LOCK);
}

static void *give_back(void *unused)
{
    corral_port_unlock(LOCK);
    return unused;
}

static void give_back_what_another_has(void)
{
    pthread_t thread;

    corral_port_lock(LOCK);
    pthread_create(&thread, NULL, give_back, NULL);
    pthread_join(thread, NULL);
}

static void take_one_too_many(void)
{
    corral_port_lock(CORRAL_LOCK_COUNT);
}

static void give_back_one_too_many(void)
{
    corral_port_unlock(CORRAL_LOCK_COUNT);
}

static void misuse__of_each_kind__ends_the_program(void)
{
    void (*const misuses[])(void) = {take_twice, give_back_what_nobody_has,
                                     give_back_what_another_has, take_one_too_many,
                                     give_back_one_too_many};

    for (size_t i = 0; i < sizeof misuses / sizeof misuses[0]; i++) {
        test_context("misuse", i);
        const int status = status_of(misuses[i]);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
    test_context(NULL, 0);
}

/* In their order: whoever waits for ever is ended by the alarm. */
static void take_all(void)
{
    for (unsigned lock = CORRAL_LOCK_COUNT; lock-- > 0;) {
        corral_port_lock(lock);
    }
    for (unsigned lock = 0; lock < CORRAL_LOCK_COUNT; lock++) {
        corral_port_unlock(lock);
    }
}

/* Keep a lock until two others sleep: who wants it, and who forks. */
static void *keep(void *taken)
{
    corral_port_lock(LOCK);
    atomic_store((atomic_bool *)taken, true);
    wait_for_sleeps(2);
    corral_port_unlock(LOCK);
    return NULL;
}

static void fork__while_others_have_and_want_a_lock__leaves_all_free_in_both(void)
{
    atomic_bool is_taken = false;
    pthread_t owner;
    pthread_t sleeper;

    atomic_store(&sleeps, 0);
    REQUIRE(pthread_create(&owner, NULL, keep, &is_taken) == 0);
    while (!atomic_load(&is_taken)) {
        sched_yield();
    }
    start(&sleeper, 1, 1);
    wait_for_sleeps(1);
    CHECK(status_of(take_all) == 0);
    CHECK(pthread_join(owner, NULL) == 0);
    end(&sleeper, 1);
    take_all();
}

static void give_back_and_take_all(void)
{
    corral_port_unlock(LOCK);
    take_all();
}

static void fork__by_the_owner_of_a_lock__leaves_it_to_both(void)
{
    corral_port_lock(LOCK);
    CHECK(status_of(give_back_and_take_all) == 0);
    give_back_and_take_all();
}

static const struct test_case tests[] = {
    TEST(lock__wanted_by_many__has_one_owner_at_a_time),
    TEST(lock__given_back__wakes_all_who_sleep),
    TEST(sleep__interrupted__does_not_take_the_lock),
    TEST(misuse__of_each_kind__ends_the_program),
    TEST(fork__while_others_have_and_want_a_lock__leaves_all_free_in_both),
    TEST(fork__by_the_owner_of_a_lock__leaves_it_to_both),
};

static TEST_SUITE(locks, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_locks};

    alarm(SECONDS);
    return test_initialise_and_run(suites, 1);
}
