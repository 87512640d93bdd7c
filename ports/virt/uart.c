/* SPDX-License-Identifier: Apache-2.0 */
/* A 16550 with registers of one byte. */
#include "../uart/uart.h"

#include <stdint.h>

#include "../uart/ns16550.h"

static volatile uint8_t *const uart = (volatile uint8_t *)0x10000000;

void uart_start(void)
{
    /* An emulated line has no timing: the rate stays unchanged. */
    uart[NS16550_LINE_CONTROL] = NS16550_EIGHT_BITS_NO_PARITY;
    /* A client behind a wall may have turned these on: a loop back to the receiver, interrupts. */
    uart[NS16550_MODEM_CONTROL] = 0;
    uart[NS16550_INTERRUPTS] = 0;
    uart[NS16550_FIFO] = 0;
}

void uart_put(char character)
{
    while ((uart[NS16550_LINE_STATUS] & NS16550_TRANSMIT_EMPTY) == 0) {
    }
    uart[NS16550_TRANSMIT] = (uint8_t)character;
}
