/* SPDX-License-Identifier: Apache-2.0 */
#include "../uart/uart.h"

#include <stdint.h>

struct uart {
    volatile uint32_t data;
    volatile uint32_t state;
    volatile uint32_t control;
    volatile uint32_t interrupts;
    volatile uint32_t baud_divider;
};

#define UART ((struct uart *)MPS2_UART)

#define STATE_TRANSMIT_FULL 1u
#define STATE_RECEIVE_FULL 2u
#define CONTROL_TRANSMIT 1u
#define CONTROL_RECEIVE 2u
#define BAUD_DIVIDER_MINIMUM 16u /* the hardware's smallest; an emulated line has no timing */

void uart_start(void)
{
    UART->baud_divider = BAUD_DIVIDER_MINIMUM;
    UART->control = CONTROL_TRANSMIT;
}

void uart_put(char character)
{
    while ((UART->state & STATE_TRANSMIT_FULL) != 0) {
    }
    UART->data = (uint8_t)character;
}

void uart_listen(void)
{
    UART->control = CONTROL_TRANSMIT | CONTROL_RECEIVE;
}

bool uart_take(uint8_t *character)
{
    if ((UART->state & STATE_RECEIVE_FULL) == 0) {
        return false;
    }
    *character = (uint8_t)UART->data;
    return true;
}
