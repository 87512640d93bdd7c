/* SPDX-License-Identifier: Apache-2.0 */
/* Console, input and exit of a process. */
#include <corral/board.h>

#include <stdio.h>
#include <stdlib.h>

static FILE *input;

void corral_board_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

bool corral_board_input_rewind(void)
{
    const char *path = getenv("CORRAL_INPUT");

    if (input == NULL && path != NULL) {
        input = fopen(path, "rb");
    }
    return input != NULL && fseek(input, 0, SEEK_SET) == 0;
}

bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length)
{
    *length = 0;
    if (input == NULL) {
        return false;
    }
    const size_t got = fread(buffer, 1, size, input);
    if (ferror(input) != 0) {
        return false;
    }
    *length = got;
    return true;
}

_Noreturn void corral_board_exit(int status)
{
    exit(status);
}
