/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Some drivers take memory from malloc() of the C library, which newlib and picolibc guard by
 * functions of the program. Their own ones do nothing, so two tasks would damage the heap.
 * These are weak: a project that has its own keeps them.
 */
#include <stdbool.h>

#include "needs.h"

struct _reent;
struct __lock;

#define WEAK __attribute__((weak))

/* Of newlib. */
WEAK void __malloc_lock(struct _reent *unused);
WEAK void __malloc_unlock(struct _reent *unused);

/* Of picolibc. Its heap has the recursive lock, others are those of its streams. */
WEAK void __retarget_lock_init(struct __lock **lock);
WEAK void __retarget_lock_init_recursive(struct __lock **lock);
WEAK void __retarget_lock_close(struct __lock *lock);
WEAK void __retarget_lock_close_recursive(struct __lock *lock);
WEAK void __retarget_lock_acquire(struct __lock *lock);
WEAK void __retarget_lock_acquire_recursive(struct __lock *lock);
WEAK void __retarget_lock_release(struct __lock *lock);
WEAK void __retarget_lock_release_recursive(struct __lock *lock);

struct __lock {
    char unused;
};
WEAK struct __lock __lock___libc_recursive_mutex; /* of the heap */

/* Of all streams: they can wait for a device, so the scheduler runs on. Nothing guards them. */
static struct __lock lock_of_streams;

/* xTaskResumeAll() would leave interrupts masked before the scheduler runs. */
static bool are_tasks_running(void)
{
    return xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED;
}

/* No other task runs meanwhile. This nests, and allocates nothing. */
static void lock(void)
{
    if (are_tasks_running()) {
        vTaskSuspendAll();
    }
}

static void unlock(void)
{
    if (are_tasks_running()) {
        (void)xTaskResumeAll();
    }
}

void __malloc_lock(struct _reent *unused)
{
    (void)unused;
    lock();
}

void __malloc_unlock(struct _reent *unused)
{
    (void)unused;
    unlock();
}

void __retarget_lock_init(struct __lock **made)
{
    *made = &lock_of_streams;
}

void __retarget_lock_init_recursive(struct __lock **made)
{
    *made = &lock_of_streams;
}

void __retarget_lock_close(struct __lock *unused)
{
    (void)unused;
}

void __retarget_lock_close_recursive(struct __lock *unused)
{
    (void)unused;
}

void __retarget_lock_acquire(struct __lock *unused)
{
    (void)unused;
}

void __retarget_lock_acquire_recursive(struct __lock *taken)
{
    if (taken == &__lock___libc_recursive_mutex) {
        lock();
    }
}

void __retarget_lock_release(struct __lock *unused)
{
    (void)unused;
}

void __retarget_lock_release_recursive(struct __lock *taken)
{
    if (taken == &__lock___libc_recursive_mutex) {
        unlock();
    }
}
