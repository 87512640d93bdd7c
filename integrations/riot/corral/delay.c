/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/port.h>

#include "ztimer.h"

void corral_port_delay_us(uint32_t microseconds)
{
    ztimer_sleep(ZTIMER_USEC, microseconds);
}
