/* SPDX-License-Identifier: Apache-2.0 */
/* The line is the console's (../uart). Options are words of the semihosting command line. */
#include <ports/mps2/clock.h>
#include <ports/semihosting/options.h>
#include <ports/uart/uart.h>

#include "../../transport.h"

#define SECOND 1000u

bool fleet_transport_start(void)
{
    uart_listen();
    return true;
}

const char *fleet_transport_option(const char *name)
{
    return option_value(name);
}

uint32_t fleet_port_now(void)
{
    return clock_milliseconds();
}

/* Correct if it is called once in 49 days, after which the milliseconds overflow. */
uint32_t fleet_port_uptime(void)
{
    static uint32_t seconds;
    static uint32_t counted; /* milliseconds of these */
    const uint32_t more = (clock_milliseconds() - counted) / SECOND;

    seconds += more;
    counted += more * SECOND;
    return seconds;
}

uint32_t fleet_port_time(uint32_t *since)
{
    (void)since;
    return 0; /* this clock is never set */
}
