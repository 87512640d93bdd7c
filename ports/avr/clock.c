/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <avr/io.h>

#define PRESCALER 1024u
#define CYCLES ((uint16_t)(F_CPU / 1000UL))    /* a millisecond */
#define STEPS ((uint16_t)(CYCLES / PRESCALER)) /* of the timer, that fit into it */

void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = (uint8_t)(_BV(CS12) | _BV(CS10));
}

uint32_t clock_milliseconds(void)
{
    static uint32_t now;
    static uint16_t counted; /* by the timer, of the time in `now` and `rest` */
    static uint16_t rest;    /* cycles */

    const uint16_t passed = (uint16_t)(TCNT1 - counted);
    if (passed >= STEPS) { /* dividing takes long, and a line is polled between two calls */
        const uint32_t cycles = (uint32_t)passed * PRESCALER + rest;
        counted = (uint16_t)(counted + passed);
        now += cycles / CYCLES;
        rest = (uint16_t)(cycles % CYCLES);
    }
    return now;
}
