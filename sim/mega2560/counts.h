/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles by function. Those of a call of the API, from its entry to its return, are divided:
 *   primitive  from the entry of a backend's code until it returns, with its callees
 *   random     the same for the random generator
 *   element    the same for the driver of a secure element, without the next two
 *   bus        the same for the port's bus functions
 *   wait       the same for its delay
 *   wipe       the same for functions that overwrite old secrets
 *   layer      the rest
 * A table says what lies where: lines START END KIND NAME; hexadecimal byte addresses, END
 * excluded; KIND one of the above, or `api`, which belongs to the layer and begins a count when it
 * is entered from outside. Functions that are not in the table are the layer's.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "board.h"

struct counts;

/* Read the table `path`. NULL: the reason is on standard error. */
struct counts *counts_new(const char *path);

/*
 * Count one step of a board.
 *   pc, cycles  address of the executed instruction, and its cycles
 *   stack       stack pointer before it
 */
void counts_take(struct counts *counts, const struct board *board, uint32_t pc, uint16_t stack,
                 uint64_t cycles);

/*
 * Write the result: for each call a line
 *   call NAME layer=N primitive=N random=N element=N bus=N wait=N wipe=N stack=N deepest=N
 *        transfers=N bytes=N line=N
 * followed by a line "at ADDRESS CYCLES" for each instruction of layer or wipe that took part.
 * `stack` is the deepest that the layer itself went below the stack pointer at the entry, in bytes,
 * `deepest` that of any function; `transfers`, `bytes` and `line` are what passed over
 * the I2C bus, and the cycles that this took.
 */
bool counts_write(const struct counts *counts, const char *path);

void counts_free(struct counts *counts);

#endif
