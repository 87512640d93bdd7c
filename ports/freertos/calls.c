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
#if INCLUDE_vTaskSuspend != 1 || INCLUDE_vTaskDelay != 1 || INCLUDE_eTaskGetState != 1
#error "FreeRTOSConfig.h: set INCLUDE_vTaskSuspend, _vTaskDelay, _eTaskGetState to 1"
#endif

static char mark; /* its address is the pointer of a task in a call */

static bool are_tasks_running(void)
{
    return xTaskGetSchedulerState() != taskSCHEDULER_NOT_STARTED;
}

void corral_port_call_begin(void)
{
    if (are_tasks_running()) {
        vTaskSetThreadLocalStoragePointer(NULL, CORRAL_FREERTOS_INDEX, &mark);
    }
}

void corral_port_call_end(void)
{
    if (are_tasks_running()) {
        vTaskSetThreadLocalStoragePointer(NULL, CORRAL_FREERTOS_INDEX, NULL);
    }
}

/* Suspend the task unless it is in a call. No other task runs meanwhile. */
static bool suspend_outside(TaskHandle_t task)
{
    vTaskSuspendAll();
    const bool is_inside =
        pvTaskGetThreadLocalStoragePointer(task, CORRAL_FREERTOS_INDEX) == (void *)&mark;
    if (!is_inside) {
        vTaskSuspend(task);
    } else if (eTaskGetState(task) == eSuspended) {
        vTaskResume(task);
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
