/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a call, in ticks of the board's counter. */
#ifndef USES_TICKS_H
#define USES_TICKS_H

#include "../../meter/counter.h"

static inline uint32_t uses_begin(void)
{
    return METER_COUNTER;
}

static inline uint32_t uses_end(uint32_t began)
{
    return METER_COUNTER - began;
}

#endif
