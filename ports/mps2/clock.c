/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#define COUNTER (*(const volatile uint32_t *)MPS2_COUNTER)
#define TICKS (1000u * MPS2_COUNTER_MHZ) /* a millisecond */

uint32_t clock_milliseconds(void)
{
    static uint32_t now;
    static uint32_t counted; /* by the counter, of the time in `now` */

    const uint32_t passed = (COUNTER - counted) / TICKS;
    now += passed;
    counted += passed * TICKS;
    return now;
}
