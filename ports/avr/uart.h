/* SPDX-License-Identifier: Apache-2.0 */
/* USART0 of the ATmega2560, sending only, polled: 115200 baud, 8 data bits, no parity. */
#ifndef UART_H
#define UART_H

/* Switch it on. Called by start-up before anything can print. */
void uart_start(void);

/* Send one character, after those before it. */
void uart_put(char character);

/* Return when the last character is out. */
void uart_drain(void);

#endif
