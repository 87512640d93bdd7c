/* SPDX-License-Identifier: Apache-2.0 */
/* The console's line, polled: each port has its own. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

/* Switch it on. Called by start-up before anything can print. */
void uart_start(void);

/* Send one character, after those before it. */
void uart_put(char character);

/* Return when the last character is out. Only the port avr has this. */
void uart_drain(void);

/* Switch receiving on, too. Only avr and mps2 have this and uart_take(). */
void uart_listen(void);

/* Take a character that has come; hardware keeps one or two. false: none has. */
bool uart_take(uint8_t *character);

#endif
