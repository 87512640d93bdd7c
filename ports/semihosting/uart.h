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

/* Switch receiving on, too. Only mps2 has this and uart_take(). */
void uart_listen(void);

/* Take a character that has come. false: none has. */
bool uart_take(uint8_t *character);

#endif
