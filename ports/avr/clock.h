/* SPDX-License-Identifier: Apache-2.0 */
/* Milliseconds, by Timer 1, which runs only after clock_start(). */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Let the timer count. */
void clock_start(void);

/*
 * Milliseconds since any time; goes round. The timer overflows after 4 s at 16 MHz: a
 * clock that is read less often loses that time.
 */
uint32_t clock_milliseconds(void);

#endif
