/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who spends the cycles. Within each call of the API, from its entry to its return, cycles count as
 *   primitive  from the moment code of a backend is entered until it returns, with what it calls
 *   random     the same for the random generator
 *   layer      the rest
 * A table says what lies where, one function a line: START END KIND NAME, in order of addresses;
 * hexadecimal byte addresses, END excluded; KIND is
 *   api        belongs to the layer, and a call of it from outside begins a count
 *   layer, primitive, random
 * What the table does not name is of the layer.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "board.h"

struct counts;

/* Read the table `path`. NULL: a reason stands on standard error. */
struct counts *counts_new(const char *path);

/*
 * Count one step of a board.
 *   pc, cycles  address of the instruction that was executed, and what it took
 *   stack       stack pointer before it
 */
void counts_take(struct counts *counts, const struct board *board, uint32_t pc, uint16_t stack,
                 uint64_t cycles);

/*
 * Write the result: for each call a line "call NAME LAYER PRIMITIVE RANDOM STACK", followed by
 * lines "in NAME CYCLES" for the functions of the layer that took part. STACK is the deepest that
 * the layer itself went below the stack pointer at the entry, in bytes.
 */
bool counts_write(const struct counts *counts, const char *path);

void counts_free(struct counts *counts);

#endif
