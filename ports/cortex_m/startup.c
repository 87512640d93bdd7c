/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main(), for a Cortex-M that finds its vector table at the start of the code. */
#include <stdint.h>

#include "../picolibc/start.h"

extern uint32_t stack_top; /* of the linker script */

void reset_handler(void);

void reset_handler(void)
{
    start_program();
}

/* Nothing is enabled that would interrupt: whatever comes here is a fault of the program. */
static void fault_handler(void)
{
    stop_at_fault();
}

/* Armv7-M, B1.5.3: the stack pointer, then reset and fifteen exceptions of the processor. */
struct vector_table {
    void *initial_stack;
    void (*handlers[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vector_table vectors = {
    .initial_stack = &stack_top,
    .handlers = {reset_handler, fault_handler, fault_handler, fault_handler, fault_handler,
                 fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
                 fault_handler, fault_handler, fault_handler, fault_handler, fault_handler},
};
