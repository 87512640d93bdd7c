/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Include this at the end of FreeRTOSConfig.h. Then no task is deleted in the middle of a call of
 * the library.
 */
#ifndef CORRAL_FREERTOS_H
#define CORRAL_FREERTOS_H

/* The kernel also reads FreeRTOSConfig.h in its assembly files. */
#ifndef __ASSEMBLER__

/* The thread-local storage pointer of a task that is set while the task is in a call. */
#ifndef CORRAL_FREERTOS_INDEX
#define CORRAL_FREERTOS_INDEX 0
#endif

struct tskTaskControlBlock;

/*
 * Wait until `task` is in no call of the library, and suspend it and the scheduler. Resume the
 * scheduler after the task is deleted. So no other task can resume the deleted one meanwhile.
 * vTaskDelete() does both by the macros below in kernels from version 11.1. With an older kernel,
 * call one before each vTaskDelete() and the other one after it. A task that was suspended in a
 * call is resumed until that call has ended.
 *   task  NULL or the caller itself: nothing is done
 */
void corral_freertos_before_delete(struct tskTaskControlBlock *task);
void corral_freertos_after_delete(void);

#define traceENTER_vTaskDelete(task) corral_freertos_before_delete(task)
#define traceRETURN_vTaskDelete() corral_freertos_after_delete()

#endif

#endif
