/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a test: of POSIX (threads_posix.c), or tasks of FreeRTOS (threads_freertos.c). */
#ifndef TEST_THREADS_H
#define TEST_THREADS_H

#define TEST_THREADS_MAX 8u

/* How many threads a test has here, at most TEST_THREADS_MAX. */
extern const unsigned test_thread_count;

/* Run `function` in this many threads, each with its own argument, until all have returned. */
void test_threads_run(void (*function)(void *argument), void *const arguments[]);

/* Of the threads that test_threads_run() runs: wait until all of them are here. */
void test_threads_meet(void);

/* Let the others run for some milliseconds. */
void test_thread_pause(void);

#endif
