/* SPDX-License-Identifier: Apache-2.0 */
/* Console on the line of uart.h; input and exit by semihosting. */
#include <corral/board.h>

#include "../uart/uart.h"
#include "options.h"
#include "semihosting.h"

static int input = SEMIHOSTING_NO_FILE;

void corral_board_print(const char *text)
{
    while (*text != '\0') {
        uart_put(*text++);
    }
}

bool corral_board_input_rewind(void)
{
    const char *path = option_value("input");

    if (input == SEMIHOSTING_NO_FILE && path != NULL) {
        input = semihosting_open(path, SEMIHOSTING_READ);
    }
    return input != SEMIHOSTING_NO_FILE && semihosting_seek(input, 0);
}

bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length)
{
    *length = input == SEMIHOSTING_NO_FILE ? 0 : semihosting_read(input, buffer, size);
    return input != SEMIHOSTING_NO_FILE;
}

_Noreturn void corral_board_exit(int status)
{
    semihosting_exit(status);
}
