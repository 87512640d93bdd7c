/* SPDX-License-Identifier: Apache-2.0 */
/* Console and exit; there is no input. */
#include <corral/board.h>

#include <stdio.h>
#include <stdlib.h>

void corral_board_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

bool corral_board_input_rewind(void)
{
    return false;
}

bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length)
{
    (void)buffer;
    (void)size;
    *length = 0;
    return false;
}

_Noreturn void corral_board_exit(int status)
{
    exit(status);
}
