/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the kernel is configured on boards of ours. An application may define macros that are
 * behind #ifndef (app.toml, [defines]); the frequency of the processor is the board's.
 */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#ifndef configCPU_CLOCK_HZ
#error "configCPU_CLOCK_HZ: say the processor's frequency in [toolchain.defines] of board.toml"
#endif

#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ 1000
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE 524288
#endif
#ifndef configMAX_PRIORITIES
#define configMAX_PRIORITIES 8
#endif
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 256 /* words */
#endif

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 0
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configCHECK_FOR_STACK_OVERFLOW 2
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_PICOLIBC_TLS 1
#define configENABLE_MPU 0
#define configENABLE_FPU 0
#define configENABLE_TRUSTZONE 0
#define configRUN_FREERTOS_SECURE_ONLY 0
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 32

#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_xTaskAbortDelay 1
#define INCLUDE_xTaskGetSchedulerState 1

/* Of ports/freertos, as every project with this library has them. */
#define configUSE_MUTEXES 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xSemaphoreGetMutexHolder 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 1
#include "corral_freertos.h"

/* The vector table has these names, and ports for Armv8-M have none else. */
#define vPortSVCHandler SVC_Handler
#define xPortPendSVHandler PendSV_Handler
#define xPortSysTickHandler SysTick_Handler

/* Print where it is, and end the run. */
_Noreturn void freertos_stop_at_assertion(const char *file, int line);
#define configASSERT(holds)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            freertos_stop_at_assertion(__FILE__, __LINE__);                                        \
        }                                                                                          \
    } while (0)

#endif
