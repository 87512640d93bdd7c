/* SPDX-License-Identifier: Apache-2.0 */
/* The part of avr-libc's start-up that is the board's: before main() and after it. */
#include <stdlib.h>

#include <corral/board.h>

#include "../uart/uart.h"

/* Runs within avr-libc's start-up, after .data and .bss are there. */
__attribute__((constructor)) static void prepare(void)
{
    uart_start();
}

/* Start-up jumps here with the result of main(). */
_Noreturn void exit(int status)
{
    corral_board_exit(status);
}
