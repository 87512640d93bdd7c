/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main(), for a Cortex-M that finds its vector table at the start of the code. */
#include <stdint.h>
#include <string.h>

#include <corral/board.h>

#include "../semihosting/uart.h"

/* Of sections.ld. */
extern uint32_t stack_top;
extern void (*const constructors_start[])(void), (*const constructors_end[])(void);
extern uint8_t data_source, data_start, data_end, bss_start, bss_end, thread_data;

int main(void);
void _set_tls(void *thread_data_start); /* picolibc: errno and the like live there */
void reset_handler(void);

void reset_handler(void)
{
    memcpy(&data_start, &data_source, (size_t)(&data_end - &data_start));
    memset(&bss_start, 0, (size_t)(&bss_end - &bss_start));
    _set_tls(&thread_data);
    uart_start();
    for (size_t i = 0; &constructors_start[i] != constructors_end; i++) {
        constructors_start[i]();
    }
    corral_board_exit(main());
}

/* Nothing is enabled that would interrupt: whatever comes here is a fault of the program. */
static void fault_handler(void)
{
    corral_board_print("\nprocessor fault\n");
    corral_board_exit(255);
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
