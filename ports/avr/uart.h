/* SPDX-License-Identifier: Apache-2.0 */
/* USART0 of the ATmega2560, polled: 115200 baud, 8 data bits, no parity. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

/* Switch it on. Called by start-up before anything can print. */
void uart_start(void);

/* Send one character, after those before it. */
void uart_put(char character);

/* Return when the last character is out. */
void uart_drain(void);

/* Switch receiving on, too. */
void uart_listen(void);

/* Take a character that has come; the hardware keeps two. false: none has. */
bool uart_take(uint8_t *character);

#endif
