/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writers of the stack, and the bytes that they leave there. Every store of the program is
 * seen, and the program is not changed: the measured image is the one for the chip. A table
 * names functions by lines ADDRESS KIND NAME, with hexadecimal byte addresses; KIND is one of
 *   driver  a function that calls a library
 *   random  the random generator, which sees to its own frames
 *   wiper   what overwrites the frames of a library for the driver that calls it
 *   api     a function of the API
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "board.h"

struct frames;

/* Read the table `path` for the program of `board`. NULL: the reason is on standard error. */
struct frames *frames_new(const char *path, const struct board *board);

/* Follow the instruction that the board executes next. */
void frames_follow(struct frames *frames, const struct board *board);

/*
 * Write the result: for each function of the table that was entered a line
 *   KIND NAME calls=N
 * and for a wiper the line goes on
 *   used=N reached=N left=N
 * with the deepest byte below its caller that the driver had written when it was called, the
 * deepest that it overwrote itself in any call (least of all calls), and the most bytes that the
 * driver had written and that it did not overwrite. For each call of the API that came from outside
 * there follows, in their order, a line
 *   left NAME BYTES
 * with what was on the stack below its caller when it returned: hexadecimal, the deepest first, and
 * 00 where the call has written nothing.
 */
bool frames_write(const struct frames *frames, const char *path);

void frames_free(struct frames *frames);

#endif
