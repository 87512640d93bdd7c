/* SPDX-License-Identifier: Apache-2.0 */
#include "serial.h"

#include <string.h>

#include "slipmux.h"

#ifndef FLEET_SERIAL_SIZE
#define FLEET_SERIAL_SIZE 266u /* a message, and its check sequence */
#endif

/* The state of a frame stays here from one call to the next. */
static uint8_t memory[FLEET_SERIAL_SIZE];
static struct fleet_slipmux frame;

size_t fleet_serial_receive(uint8_t *message, size_t size, uint32_t until)
{
    uint8_t byte = 0;

    if (frame.data == NULL) {
        fleet_slipmux_begin(&frame, memory, sizeof memory);
    }
    for (;;) {
        const bool has_byte = fleet_serial_take(&byte);
        const size_t length = has_byte ? fleet_slipmux_take(&frame, byte) : 0;
        if (length > 0 && length <= size) {
            memcpy(message, memory, length);
            return length;
        }
        /* Also after a frame: those that are passed over may come without end. */
        if ((!has_byte || byte == FLEET_SLIPMUX_END) && (int32_t)(until - fleet_port_now()) <= 0) {
            return 0;
        }
    }
}
