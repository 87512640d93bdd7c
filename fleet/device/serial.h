/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages over a serial line, for boards that are not on a network: frames of slipmux.h, polled.
 * A port defines fleet_slipmux_put() and the function below, besides port.h's clock.
 */
#ifndef FLEET_SERIAL_H
#define FLEET_SERIAL_H

#include "port.h"

/* Take a byte that has come. false: none has. */
bool fleet_serial_take(uint8_t *byte);

/* fleet_port_receive() of a line, over which all servers are reached. */
size_t fleet_serial_receive(uint8_t *message, size_t size, uint32_t until);

#endif
