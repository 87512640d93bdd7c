/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual secure elements (sim/atecc608) on the two-wire interface of a board, in its own time:
 * the time that the processor spends between two transfers also passes for the chips.
 */
#ifndef CHIPS_H
#define CHIPS_H

#include "board.h"

struct chips;

/*
 * Put an empty bus on the interface of a started board, which must stay where it is. NULL: no
 * memory, or this simavr has no such interface.
 */
struct chips *chips_new(struct board *board);

/*
 * Attach a chip, described as for atecc608-sim (sim/atecc608/chip_spec.h); the text is taken apart.
 * false: the reason is on standard error.
 */
bool chips_add(struct chips *chips, char *text);

/* NULL is allowed. */
void chips_free(struct chips *chips);

#endif
