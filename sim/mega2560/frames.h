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
 * Write the result. Each function of the table that was entered has a line
 *   KIND NAME calls=N
 * The line of a wiper goes on with:
 *   used=N     the deepest byte below its caller that the driver had written when it was called
 *   reached=N  the deepest byte that it overwrote itself, in the call where that was least deep
 *   left=N     the most bytes that the driver had written, and that it did not overwrite.
 * After these, each call of the API that came from outside has a line, in their order:
 *   left NAME BYTES
 * BYTES is the stack below the caller when the call returned. It is hexadecimal, and begins with
 * the deepest byte. A byte that the call has not written is 00.
 */
bool frames_write(const struct frames *frames, const char *path);

void frames_free(struct frames *frames);

#endif
