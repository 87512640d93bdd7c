/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slipmux over the console's line, in both directions. Output of the application is
 * between frames, where the receiver skips it.
 */
#include <ports/uart/uart.h>

#include "../../serial.h"
#include "../../slipmux.h"

void fleet_slipmux_put(uint8_t byte)
{
    uart_put((char)byte);
}

bool fleet_serial_take(uint8_t *byte)
{
    return uart_take(byte);
}

bool fleet_port_take_directory(void)
{
    return true; /* any peer is behind the line */
}

bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    (void)peer;
    fleet_slipmux_send(message, length);
    return true;
}

size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    (void)peer;
    return fleet_serial_receive(message, size, until);
}
