/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a board that picolibc calls, for programs that use its stdio or exit(). */
#include <stdio.h>

#include <corral/board.h>

#include "../uart/uart.h"

_Noreturn void _exit(int status); /* as libc's exit() and abort() call it */

static int put(char character, FILE *file)
{
    (void)file;
    uart_put(character);
    return 0;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);

/*
 * Link-time optimisation does not see who asks for these: it puts puts() for printf() after it has
 * looked.
 */
#define WANTED __attribute__((used))

WANTED FILE *const stdin = NULL;
WANTED FILE *const stdout = &console;
WANTED FILE *const stderr = &console;

WANTED _Noreturn void _exit(int status)
{
    corral_board_exit(status);
}
