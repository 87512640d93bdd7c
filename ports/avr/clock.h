/* SPDX-License-Identifier: Apache-2.0 */
/* Milliseconds, by Timer 1, which counts only for who asks for it. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Let the timer count. */
void clock_start(void);

/*
 * Milliseconds since any time; goes round. The timer goes round after 4 s at 16 MHz: who does
 * something else for longer has a clock that is late by that.
 */
uint32_t clock_milliseconds(void);

#endif
