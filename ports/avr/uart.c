/* SPDX-License-Identifier: Apache-2.0 */
#include "../uart/uart.h"

#include <avr/io.h>

#define BAUD 115200UL

/* Data sheet, "Equations for calculating baud rate register setting", double speed; rounded. */
#define DIVIDER ((uint16_t)((F_CPU + BAUD * 4UL) / (BAUD * 8UL) - 1UL))

void uart_start(void)
{
    UBRR0 = DIVIDER;
    UCSR0A = (uint8_t)_BV(U2X0);
    UCSR0C = (uint8_t)(_BV(UCSZ01) | _BV(UCSZ00));
    UCSR0B = (uint8_t)_BV(TXEN0);
}

void uart_put(char character)
{
    while ((UCSR0A & _BV(UDRE0)) == 0) {
    }
    UCSR0A = (uint8_t)(_BV(U2X0) | _BV(TXC0)); /* "sent" is cleared by writing a one */
    UDR0 = (uint8_t)character;
}

void uart_drain(void)
{
    while ((UCSR0A & _BV(TXC0)) == 0) {
    }
}

void uart_listen(void)
{
    UCSR0B = (uint8_t)(_BV(TXEN0) | _BV(RXEN0));
}

bool uart_take(uint8_t *character)
{
    if ((UCSR0A & _BV(RXC0)) == 0) {
        return false;
    }
    *character = UDR0;
    return true;
}
