/* SPDX-License-Identifier: Apache-2.0 */
/* UART5, a 16550 with registers of four bytes. */
#include "../uart/uart.h"

#include <stdint.h>

#include "../uart/ns16550.h"

static volatile uint32_t *const uart5 = (volatile uint32_t *)0x1e784000;

void uart_start(void)
{
    /* The rate stays as the boot loader set it. */
    uart5[NS16550_LINE_CONTROL] = NS16550_EIGHT_BITS_NO_PARITY;
}

void uart_put(char character)
{
    while ((uart5[NS16550_LINE_STATUS] & NS16550_TRANSMIT_EMPTY) == 0) {
    }
    uart5[NS16550_TRANSMIT] = (uint8_t)character;
}
