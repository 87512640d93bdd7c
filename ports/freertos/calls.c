/* SPDX-License-Identifier: Apache-2.0 */
/* No task is deleted in the middle of a call: vTaskDelete() waits until the call has ended. */
#include <stdbool.h>

#include <corral/port.h>

#include "needs.h"

#ifndef CORRAL_FREERTOS_H
#error "FreeRTOSConfig.h: include corral_freertos.h at its end"
#endif
#include "corral_freertos.h"

#if configNUM_THREAD_LOCAL_STORAGE_POINTERS <= CORRAL_FREERTOS_INDEX
#error "FreeRTOSConfig.h: configNUM_THREAD_LOCAL_STORAGE_POINTERS is too small"
#endif
#if configNUMBER_OF_CORES > 1
#error "FreeRTOS with several cores is not supported"
#endif
#if INCLUDE_uxTaskPriorityGet != 1 || INCLUDE_vTaskPrioritySet != 1
#error "FreeRTOSConfig.h: set INCLUDE_uxTaskPriorityGet, INCLUDE_vTaskPrioritySet to 1"
#endif
#if INCLUDE_vTaskSuspend != 1 || INCLUDE_vTaskDelay != 1 || INCLUDE_eTaskGetState != 1
#error "FreeRTOSConfig.h: set INCLUDE_vTaskSuspend, _vTaskDelay, _eTaskGetState to 1"
#endif

/*
 * The pointer value of a task in a call. The first half counts calls inside each other, because
 * functions of the port may call the API. The second half counts the same, and says that another
 * task waits for the end of the outermost call, to delete this task.
 */
#define DEPTH 4
static char marks[2 * DEPTH];

static bool are_tasks_running(void)
{
    return xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED;
}

/* The mark of a task, or NULL. */
static char *mark_of(TaskHandle_t task)
{
    return (char *)pvTaskGetThreadLocalStoragePointer(task, CORRAL_FREERTOS_INDEX);
}

static void set_mark(TaskHandle_t task, char *mark)
{
    vTaskSetThreadLocalStoragePointer(task, CORRAL_FREERTOS_INDEX, mark);
}

void corral_port_call_begin(void)
{
    if (are_tasks_running()) {
        taskENTER_CRITICAL();
        char *const mark = mark_of(NULL);
        configASSERT(mark == NULL || (mark - marks) % DEPTH != DEPTH - 1);
        set_mark(NULL, mark == NULL ? marks : mark + 1);
        taskEXIT_CRITICAL();
    }
}

void corral_port_call_end(void)
{
    if (!are_tasks_running()) {
        return;
    }
    taskENTER_CRITICAL();
    char *const mark = mark_of(NULL);
    const bool is_outermost = mark == marks || mark == marks + DEPTH;
    set_mark(NULL, is_outermost ? NULL : mark - 1);
    taskEXIT_CRITICAL();
    while (mark == marks + DEPTH) {
        vTaskSuspend(NULL); /* nothing of the task runs after its call */
    }
}

/* Whether the scheduler is suspended until a task is deleted. */
static bool is_deleting;

/*
 * Suspend the task, or have it suspend itself at the end of its call. If it is outside, the
 * scheduler stays suspended: no other task resumes it before it is deleted.
 */
static bool suspend_outside(TaskHandle_t task)
{
    vTaskSuspendAll();
    char *const mark = mark_of(task);
    if (mark == NULL) {
        vTaskSuspend(task);
        is_deleting = true;
        return true;
    }
    set_mark(task, mark < marks + DEPTH ? mark + DEPTH : mark);
    if (eTaskGetState(task) == eSuspended) {
        vTaskResume(task);
    }
    /* Otherwise tasks of a priority between the two could keep it from ending. */
    if (uxTaskPriorityGet(task) < uxTaskPriorityGet(NULL)) {
        vTaskPrioritySet(task, uxTaskPriorityGet(NULL));
    }
    (void)xTaskResumeAll();
    return false;
}

void corral_freertos_before_delete(TaskHandle_t task)
{
    if (task == NULL || task == xTaskGetCurrentTaskHandle() || !are_tasks_running()) {
        return;
    }
    while (!suspend_outside(task)) {
        vTaskDelay(1);
    }
}

void corral_freertos_after_delete(void)
{
    /* No other task runs while it is true. */
    if (is_deleting) {
        is_deleting = false;
        (void)xTaskResumeAll();
    }
}
