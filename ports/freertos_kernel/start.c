/* SPDX-License-Identifier: Apache-2.0 */
/* main() runs in a task, and the run ends when it returns. */
#include <stdio.h>

#include <FreeRTOS.h>
#include <task.h>

#include <corral/board.h>

#include "../picolibc/start.h"

/* Of the task that runs main(), in bytes. */
#ifndef FREERTOS_MAIN_STACK_SIZE
#define FREERTOS_MAIN_STACK_SIZE 262144u
#endif
#define PRIORITY 1

int main(void);
void vApplicationIdleHook(void);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);

static void run_in_task(void *unused)
{
    (void)unused;
    corral_board_exit(main());
}

_Noreturn void run_main(void)
{
    static StackType_t stack[FREERTOS_MAIN_STACK_SIZE / sizeof(StackType_t)];
    static StaticTask_t task;

    (void)xTaskCreateStatic(run_in_task, "main", sizeof stack / sizeof stack[0], NULL, PRIORITY,
                            stack, &task);
    vTaskStartScheduler();
    freertos_stop_at_assertion(__FILE__, __LINE__); /* it does not return */
}

/* Emulated time goes on at once to the next tick. */
void vApplicationIdleHook(void)
{
    __asm__ volatile("wfi");
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
    (void)task;
    corral_board_print("\nstack overflow in task ");
    corral_board_print(name);
    freertos_stop_at_assertion(__FILE__, __LINE__);
}

_Noreturn void freertos_stop_at_assertion(const char *file, int line)
{
    char digits[12];

    portDISABLE_INTERRUPTS();
    (void)snprintf(digits, sizeof digits, "%d", line);
    corral_board_print("\nassertion failed: ");
    corral_board_print(file);
    corral_board_print(":");
    corral_board_print(digits);
    corral_board_print("\n");
    corral_board_exit(255);
}
