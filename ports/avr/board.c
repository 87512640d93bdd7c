/* SPDX-License-Identifier: Apache-2.0 */
/* Console on USART0; input and exit by the simulator. */
#include <corral/board.h>

#include <avr/interrupt.h>

#include "../uart/uart.h"
#include "host.h"

void corral_board_print(const char *text)
{
    if (*text == '\0') {
        return;
    }
    while (*text != '\0') {
        uart_put(*text++);
    }
    uart_drain();
}

bool corral_board_input_rewind(void)
{
    return host_ask(HOST_REWIND);
}

bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length)
{
    size_t done = 0;

    while (done < size && host_get(HOST_READ, &buffer[done])) {
        done++;
    }
    *length = done;
    return true;
}

_Noreturn void corral_board_exit(int status)
{
    host_exit((uint8_t)status);
    cli();
    for (;;) {
    }
}
