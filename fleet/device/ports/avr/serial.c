/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line is USART0 (../uart). Options are lines NAME=VALUE of the file that a simulated board can
 * read; a real one has none.
 */
#include <corral/board.h>
#include <ports/avr/clock.h>
#include <ports/uart/uart.h>

#include "../../transport.h"

#define VALUE_SIZE 12u

bool fleet_transport_start(void)
{
    uart_listen();
    clock_start();
    return true;
}

/* The next character of the file; 0: its end. */
static char next(void)
{
    uint8_t byte = 0;
    size_t length = 0;

    return corral_board_input_read(&byte, 1, &length) && length == 1 ? (char)byte : '\0';
}

/* Read a line; true if it is of this name. The text after = is in `value` then. */
static bool read_line(const char *name, char *at, char *value)
{
    bool is_named = true;
    size_t length = 0;

    for (; *at != '=' && *at != '\n' && *at != '\0'; *at = next()) {
        is_named = is_named && *name != '\0' && *name++ == *at;
    }
    is_named = is_named && *name == '\0' && *at == '=';
    while (*at != '\n' && *at != '\0') {
        *at = next();
        if (is_named && *at != '\n' && length < VALUE_SIZE - 1u) {
            value[length++] = *at;
        }
    }
    if (is_named) {
        value[length] = '\0';
    }
    return is_named;
}

const char *fleet_transport_option(const char *name)
{
    static char value[VALUE_SIZE];

    if (!corral_board_input_rewind()) {
        return NULL;
    }
    for (char at = next(); at != '\0'; at = next()) {
        if (read_line(name, &at, value)) {
            return value;
        }
        if (at == '\0') {
            break;
        }
    }
    return NULL;
}

uint32_t fleet_port_now(void)
{
    return clock_milliseconds();
}
