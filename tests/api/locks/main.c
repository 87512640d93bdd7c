/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locks of a POSIX process: one owner at a time, no thread sleeps for ever, misuse
 * ends the program, and both processes of a fork() have theirs. The linker leads
 * pthread_mutex_lock() and pthread_atfork() here.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>
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

/* Calls of pthread_mutex_lock(): a caller while another thread has the lock sleeps or is about
 * to. */
static atomic_uint calls;

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    atomic_fetch_add(&calls, 1);
    return __real_pthread_mutex_lock(mutex);
}

/* The child that was forked while the locks were prepared, and has theirs to itself. */
static pid_t early = -1;

static void take_all(void);

int __real_pthread_atfork(void (*before)(void), void (*after)(void), void (*after_in_child)(void));
int __wrap_pthread_atfork(void (*before)(void), void (*after)(void), void (*after_in_child)(void));

/* Forks where the process is just about to know that it is prepared. */
int __wrap_pthread_atfork(void (*before)(void), void (*after)(void), void (*after_in_child)(void))
{
    int status = 0;

    const int result = __real_pthread_atfork(before, after, after_in_child);
    early = fork();
    if (early == 0) {
        alarm(SECONDS);
        take_all();
        const pid_t child = fork();
        if (child == 0) {
            take_all();
            _exit(0);
        }
        const bool is_well = child > 0 && waitpid(child, &status, 0) == child && status == 0;
        take_all();
        _exit(is_well ? 0 : 1);
    }
    return result;
}

static void wait_for_calls(unsigned count)
{
    while (atomic_load(&calls) < count) {
        sched_yield();
    }
}

/* Not atomic: the lock guards them. */
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

/* The result of fork() in a handler; 0 in the child, whose only thread goes on unchanged. */
static pid_t forked = -1;

static void *enter(void *unused)
{
    for (unsigned i = 0; i < rounds; i++) {
        enter_once();
    }
    if (forked == 0) {
        _exit(collisions == 0 ? 0 : 1);
    }
    return unused;
}

static void start(pthread_t *threads, unsigned count, unsigned rounds_of_each)
{
    rounds = rounds_of_each;
    entered = 0;
    collisions = 0;
    atomic_store(&calls, 0);
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
}

static void lock__given_back__wakes_all_who_sleep(void)
{
    pthread_t threads[THREADS];

    corral_port_lock(LOCK);
    start(threads, THREADS, 1);
    wait_for_calls(THREADS);
    CHECK(entered == 0);
    corral_port_unlock(LOCK);
    end(threads, THREADS);
}

/* The library must not be left with a lock taken: it has no point at which threads end. */
static void sleep__cancelled__goes_on_and_gives_back(void)
{
    pthread_t thread;

    corral_port_lock(LOCK);
    start(&thread, 1, 1);
    wait_for_calls(1);
    CHECK(pthread_cancel(thread) == 0);
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

/* In their order: the alarm ends an endless wait. */
static void take_all(void)
{
    for (unsigned lock = CORRAL_LOCK_COUNT; lock-- > 0;) {
        corral_port_lock(lock);
    }
    for (unsigned lock = 0; lock < CORRAL_LOCK_COUNT; lock++) {
        corral_port_unlock(lock);
    }
}

static atomic_bool is_kept;

/* Stay inside until two others sleep: one waits for the lock, and one forks, for which it is the
 * last. */
static void *keep(void *unused)
{
    corral_port_lock(LOCK);
    inside++;
    atomic_store(&is_kept, true);
    wait_for_calls(1 + CORRAL_LOCK_COUNT);
    inside--;
    corral_port_unlock(LOCK);
    return unused;
}

/* A thread that keeps the lock, and one that sleeps for it. */
static void begin(pthread_t *owner, pthread_t *sleeper)
{
    atomic_store(&calls, 0);
    atomic_store(&is_kept, false);
    REQUIRE(pthread_create(owner, NULL, keep, NULL) == 0);
    while (!atomic_load(&is_kept)) {
        sched_yield();
    }
    start(sleeper, 1, 1);
    wait_for_calls(1);
}

static void find_nobody_inside(void)
{
    if (inside > 0) {
        _exit(1);
    }
    take_all();
}

static void fork__while_others_have_and_want_a_lock__leaves_all_free_in_both(void)
{
    pthread_t owner;
    pthread_t sleeper;

    begin(&owner, &sleeper);
    CHECK(status_of(find_nobody_inside) == 0);
    CHECK(pthread_join(owner, NULL) == 0);
    end(&sleeper, 1);
    take_all();
}

static void fork__while_the_locks_are_prepared__leaves_them_to_both(void)
{
    int status = -1;

    CHECK(early > 0 && waitpid(early, &status, 0) == early && status == 0);
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

/* ThreadSanitizer keeps signals back until a thread has its mutex. */
#if !defined(__SANITIZE_THREAD__)
static void fork_here(int signal_number)
{
    (void)signal_number;
    forked = fork();
    if (forked == 0) {
        alarm(SECONDS);
    }
}

/* The kernel begins the thread's waiting again in the child, too, where the lock is free. */
static void fork__by_a_handler_in_who_sleeps__lets_the_child_go_on(void)
{
    struct sigaction action = {.sa_handler = fork_here, .sa_flags = SA_RESTART};
    int status = -1;
    pthread_t owner;
    pthread_t sleeper;

    REQUIRE(sigaction(SIGUSR1, &action, NULL) == 0);
    begin(&owner, &sleeper);
    CHECK(pthread_kill(sleeper, SIGUSR1) == 0);
    CHECK(pthread_join(owner, NULL) == 0);
    end(&sleeper, 1);
    CHECK(forked > 0 && waitpid(forked, &status, 0) == forked && status == 0);
    forked = -1;
    take_all();
}
#endif

static const struct test_case tests[] = {
    TEST(lock__wanted_by_many__has_one_owner_at_a_time),
    TEST(lock__given_back__wakes_all_who_sleep),
    TEST(sleep__cancelled__goes_on_and_gives_back),
    TEST(misuse__of_each_kind__ends_the_program),
    TEST(fork__while_others_have_and_want_a_lock__leaves_all_free_in_both),
    TEST(fork__while_the_locks_are_prepared__leaves_them_to_both),
    TEST(fork__by_the_owner_of_a_lock__leaves_it_to_both),
#if !defined(__SANITIZE_THREAD__)
    TEST(fork__by_a_handler_in_who_sleeps__lets_the_child_go_on),
#endif
};

static TEST_SUITE(locks, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_locks};

    alarm(SECONDS);
    return test_initialise_and_run(suites, 1);
}
