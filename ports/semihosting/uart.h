/* SPDX-License-Identifier: Apache-2.0 */
/* The console's line, sending only, polled: each port has its own. */
#ifndef UART_H
#define UART_H

/* Switch it on. Called by start-up before anything can print. */
void uart_start(void);

/* Send one character, after those before it. */
void uart_put(char character);

#endif
