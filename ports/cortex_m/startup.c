/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main(), for a Cortex-M that finds its vector table at the start of the code. */
#include <stdint.h>

#include "../picolibc/start.h"

extern uint32_t stack_top; /* of the linker script */

void reset_handler(void);

/* Of an operating system, or what the linker script says instead. */
void SVC_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);

void reset_handler(void)
{
    start_program();
}

/* Armv7-M, B1.5.3: the stack pointer, then reset and fifteen exceptions of the processor. */
struct vector_table {
    void *initial_stack;
    void (*handlers[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vector_table vectors = {
    .initial_stack = &stack_top,
    /* Nothing else is enabled that would interrupt: it is a fault of the program. */
    .handlers = {reset_handler, stop_at_fault, stop_at_fault, stop_at_fault, stop_at_fault,
                 stop_at_fault, stop_at_fault, stop_at_fault, stop_at_fault, stop_at_fault,
                 SVC_Handler, stop_at_fault, stop_at_fault, PendSV_Handler, SysTick_Handler},
};
