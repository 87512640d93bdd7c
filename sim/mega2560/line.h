/* SPDX-License-Identifier: Apache-2.0 */
/*
 * USART0 as a line to another program of this computer, by a Unix socket, in both directions. Such
 * a board keeps step with the computer's clock, by which the other program waits for answers.
 */
#ifndef LINE_H
#define LINE_H

#include "board.h"

struct line;

/*
 * Make the socket `path`, wait until a client connects to it, and put the line on a
 * started board, which must stay where it is. NULL: the reason is on standard error.
 */
struct line *line_new(struct board *board, const char *path);

/* NULL is allowed. */
void line_free(struct line *line);

#endif
