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

/* The pointer value of a task in a call. */
static char inside;
static char ending; /* and another task waits for the end of this call, to delete it */

static bool are_tasks_running(void)
{
    return xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED;
}

void corral_port_call_begin(void)
{
    if (are_tasks_running()) {
        vTaskSetThreadLocalStoragePointer(NULL, CORRAL_FREERTOS_INDEX, &inside);
    }
}

static void *pointer_of(TaskHandle_t task)
{
    return pvTaskGetThreadLocalStoragePointer(task, CORRAL_FREERTOS_INDEX);
}

void corral_port_call_end(void)
{
    if (!are_tasks_running()) {
        return;
    }
    taskENTER_CRITICAL();
    const bool is_ending = pointer_of(NULL) == (void *)&ending;
    vTaskSetThreadLocalStoragePointer(NULL, CORRAL_FREERTOS_INDEX, NULL);
    taskEXIT_CRITICAL();
    while (is_ending) {
        vTaskSuspend(NULL); /* nothing of the task runs after its call */
    }
}

/* Suspend the task, or have it suspend itself at the end of its call. No other runs meanwhile. */
static bool suspend_outside(TaskHandle_t task)
{
    vTaskSuspendAll();
    const bool is_inside = pointer_of(task) != NULL;
    if (!is_inside) {
        vTaskSuspend(task);
    } else {
        vTaskSetThreadLocalStoragePointer(task, CORRAL_FREERTOS_INDEX, &ending);
        if (eTaskGetState(task) == eSuspended) {
            vTaskResume(task);
        }
        /* Otherwise tasks of a priority between the two could keep it from ending. */
        if (uxTaskPriorityGet(task) < uxTaskPriorityGet(NULL)) {
            vTaskPrioritySet(task, uxTaskPriorityGet(NULL));
        }
    }
    (void)xTaskResumeAll();
    return !is_inside;
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
