/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/port.h>

#include <util/delay_basic.h>

/* _delay_loop_2() takes four cycles a round, 65536 rounds for an argument of 0. */
#define ROUNDS_PER_US (F_CPU / 4000000UL)
#define STEP_US 10000u

/* A remainder would make delays too short; an argument that does not fit, or is 0, another one. */
_Static_assert(F_CPU % 4000000UL == 0 && ROUNDS_PER_US > 0 && STEP_US * ROUNDS_PER_US <= 65535u,
               "F_CPU of board.toml: a multiple of 4 MHz, at most 24");

void corral_port_delay_us(uint32_t microseconds)
{
    while (microseconds > STEP_US) {
        _delay_loop_2((uint16_t)(STEP_US * ROUNDS_PER_US));
        microseconds -= STEP_US;
    }
    if (microseconds > 0) {
        _delay_loop_2((uint16_t)(microseconds * ROUNDS_PER_US));
    }
}
