/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers of elements wait for their chips while other tasks run. */
#include <corral/port.h>

#include "needs.h"

#define MICROSECONDS 1000000u

/* Weak: a port with virtual chips has a time of its own. */
__attribute__((weak)) void corral_port_delay_us(uint32_t microseconds)
{
    const uint64_t product = (uint64_t)microseconds * configTICK_RATE_HZ;
    /* One more, because the present tick may be nearly over. */
    const TickType_t ticks = (TickType_t)((product + MICROSECONDS - 1u) / MICROSECONDS) + 1u;
    const TickType_t begun = xTaskGetTickCount();

    /* Before the scheduler runs no tick comes: call psa_crypto_init() in a task. */
    configASSERT(xTaskGetSchedulerState() == taskSCHEDULER_RUNNING);
    /* Another task may end the waiting by xTaskAbortDelay(). */
    for (TickType_t passed = 0; passed < ticks; passed = xTaskGetTickCount() - begun) {
        vTaskDelay(ticks - passed);
    }
}
