/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include <stdint.h>
#include <string.h>

#include <corral/board.h>

#include "../uart/uart.h"

/* Of the linker script. */
extern void (*const constructors_start[])(void), (*const constructors_end[])(void);
extern uint8_t data_source[], data_start[], data_end[], bss_start[], bss_end[], thread_data[];

int main(void);
void _set_tls(void *thread_data_start); /* picolibc: errno and the like live there */

_Noreturn void start_program(void)
{
    memcpy(data_start, data_source, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    _set_tls(thread_data);
    uart_start();
    for (size_t i = 0; &constructors_start[i] != constructors_end; i++) {
        constructors_start[i]();
    }
    run_main();
}

__attribute__((weak)) _Noreturn void run_main(void)
{
    corral_board_exit(main());
}

_Noreturn void stop_at_fault(void)
{
    corral_board_print("\nprocessor fault\n");
    corral_board_exit(255);
}
