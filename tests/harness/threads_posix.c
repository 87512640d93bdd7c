/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* barriers, nanosleep() */

#include <pthread.h>
#include <time.h>

#include "harness.h"
#include "threads.h"

const unsigned test_thread_count = 8;

static struct thread {
    pthread_t thread;
    void (*function)(void *argument);
    void *argument;
} threads[TEST_THREADS_MAX];

static pthread_barrier_t barrier;

static void *run(void *thread)
{
    const struct thread *self = thread;

    self->function(self->argument);
    return NULL;
}

void test_threads_run(void (*function)(void *argument), void *const arguments[])
{
    REQUIRE(pthread_barrier_init(&barrier, NULL, test_thread_count) == 0);
    for (unsigned i = 0; i < test_thread_count; i++) {
        threads[i].function = function;
        threads[i].argument = arguments[i];
        REQUIRE(pthread_create(&threads[i].thread, NULL, run, &threads[i]) == 0);
    }
    for (unsigned i = 0; i < test_thread_count; i++) {
        REQUIRE(pthread_join(threads[i].thread, NULL) == 0);
    }
    pthread_barrier_destroy(&barrier);
}

void test_threads_meet(void)
{
    (void)pthread_barrier_wait(&barrier);
}

void test_thread_pause(void)
{
    const struct timespec a_while = {0, 3000000};

    (void)nanosleep(&a_while, NULL);
}
