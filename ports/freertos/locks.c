/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mutex of FreeRTOS for each lock of the library. A task that holds one inherits the priority of
 * the tasks that wait for it. Nothing is allocated.
 *
 * After a task has given a mutex, the kernel lets it run on. It can take the mutex again before a
 * waiting task of the same priority has run. A task that calls the library in a loop would keep
 * all others out, so a task that gives a mutex yields if another task waits for it.
 */
#include <corral/port.h>

#include "needs.h"

static StaticSemaphore_t places[CORRAL_LOCK_COUNT];
static volatile SemaphoreHandle_t mutexes[CORRAL_LOCK_COUNT];
static volatile UBaseType_t waiting[CORRAL_LOCK_COUNT];

/* Two tasks may need the same mutex for the first time. */
static SemaphoreHandle_t make(unsigned lock)
{
    taskENTER_CRITICAL();
    if (mutexes[lock] == NULL) {
        mutexes[lock] = xSemaphoreCreateMutexStatic(&places[lock]);
    }
    taskEXIT_CRITICAL();
    return mutexes[lock];
}

static void add(volatile UBaseType_t *count, UBaseType_t what)
{
    taskENTER_CRITICAL();
    *count += what;
    taskEXIT_CRITICAL();
}

static void wait(unsigned lock, SemaphoreHandle_t mutex)
{
    add(&waiting[lock], 1);
    /* Another task may end the waiting by xTaskAbortDelay(). */
    while (xSemaphoreTake(mutex, portMAX_DELAY) != pdTRUE) {
    }
    add(&waiting[lock], (UBaseType_t)-1);
}

void corral_port_lock(unsigned lock)
{
    configASSERT(lock < CORRAL_LOCK_COUNT);
    const SemaphoreHandle_t found = mutexes[lock];
    const SemaphoreHandle_t mutex = found != NULL ? found : make(lock);
    /* The task would wait for itself. */
    configASSERT(xSemaphoreGetMutexHolder(mutex) == NULL ||
                 xSemaphoreGetMutexHolder(mutex) != xTaskGetCurrentTaskHandle());
    if (xSemaphoreTake(mutex, 0) != pdTRUE) {
        wait(lock, mutex);
    }
}

void corral_port_unlock(unsigned lock)
{
    configASSERT(lock < CORRAL_LOCK_COUNT && mutexes[lock] != NULL);
    /* The kernel asserts that this task holds it. */
    (void)xSemaphoreGive(mutexes[lock]);
    if (waiting[lock] > 0 && xTaskGetSchedulerState() == taskSCHEDULER_RUNNING) {
        taskYIELD();
    }
}
