/* SPDX-License-Identifier: Apache-2.0 */
/* A 16550 with registers of one byte. */
#include "../uart/uart.h"

#include <stdint.h>

#define UART ((uintptr_t)0x10000000)
#define UART_TRANSMIT (*(volatile uint8_t *)(UART + 0))
#define UART_LINE_CONTROL (*(volatile uint8_t *)(UART + 3))
#define UART_LINE_STATUS (*(volatile uint8_t *)(UART + 5))

#define EIGHT_BITS_NO_PARITY 3u
#define TRANSMIT_EMPTY 0x20u

void uart_start(void)
{
    /* Nobody times an emulated line: the rate stays as it is. */
    UART_LINE_CONTROL = EIGHT_BITS_NO_PARITY;
}

void uart_put(char character)
{
    while ((UART_LINE_STATUS & TRANSMIT_EMPTY) == 0) {
    }
    UART_TRANSMIT = (uint8_t)character;
}
