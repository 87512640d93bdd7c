/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <avr/io.h>

bool host_ask(enum host_request request)
{
    GPIOR1 = (uint8_t)request;
    return GPIOR1 == HOST_DONE;
}

bool host_get(enum host_request request, uint8_t *byte)
{
    const bool is_done = host_ask(request);

    *byte = GPIOR2;
    return is_done;
}

void host_exit(uint8_t status)
{
    GPIOR2 = status;
    GPIOR1 = HOST_EXIT;
}
