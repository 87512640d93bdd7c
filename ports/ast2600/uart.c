/* SPDX-License-Identifier: Apache-2.0 */
/* UART5, a 16550 with registers of four bytes. */
#include "../uart/uart.h"

#include <stdint.h>

#define UART5 ((uintptr_t)0x1e784000)
#define UART5_TRANSMIT (*(volatile uint32_t *)(UART5 + 0x00))
#define UART5_LINE_CONTROL (*(volatile uint32_t *)(UART5 + 0x0c))
#define UART5_LINE_STATUS (*(volatile uint32_t *)(UART5 + 0x14))

#define EIGHT_BITS_NO_PARITY 3u
#define TRANSMIT_EMPTY 0x20u

void uart_start(void)
{
    /* The rate stays as the boot loader set it. */
    UART5_LINE_CONTROL = EIGHT_BITS_NO_PARITY;
}

void uart_put(char character)
{
    while ((UART5_LINE_STATUS & TRANSMIT_EMPTY) == 0) {
    }
    UART5_TRANSMIT = (uint8_t)character;
}
