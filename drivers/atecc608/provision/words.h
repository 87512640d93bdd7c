/* SPDX-License-Identifier: Apache-2.0 */
/* The orders that a run gives, and small pieces of output. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDER_SIZE 512u /* of all orders of a run, in characters */

/*
 * Read the orders of this run from the board's input: one a line, NAME lock SERIAL.
 * Returns false when there are more than fit or the input cannot be read; no input is no order.
 */
bool words_read(void);

/*
 * Whether there is an order for the element `name`. serial[0..18] is the serial number that the
 * order names, in capital hexadecimal digits and terminated; a number of another length
 * becomes an empty text, which no chip has.
 */
bool words_order(const char *name, char serial[19]);

/* Whether every line of the input is an order for one of these elements. */
bool words_understood(const char *const *names, size_t count);

/* Print bytes as hexadecimal digits. */
void print_hex(const uint8_t *bytes, size_t count);

/* Print a number in decimal. */
void print_number(unsigned number);

/* Turn bytes into hexadecimal digits, terminated: 2 * count + 1 characters. */
void hex_of(const uint8_t *bytes, size_t count, char *text);

#endif
