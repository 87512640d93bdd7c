/* SPDX-License-Identifier: Apache-2.0 */
/* The line is the console's (../uart). Options are words of the semihosting command line. */
#include <ports/mps2/clock.h>
#include <ports/semihosting/options.h>
#include <ports/uart/uart.h>

#include "../../transport.h"

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
