/* SPDX-License-Identifier: Apache-2.0 */
/* I2C to virtual chips. These have no clock: a delay is a request, too. */
#include <corral/port.h>

#include "virtual_chips.h"

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    if (length > UINT16_MAX) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const struct virtual_bus_request what = virtual_bus_write(bus, address, data, length);
    return virtual_chips_ask(&what, NULL, 0);
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    if (length > UINT16_MAX) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const struct virtual_bus_request what = virtual_bus_read(bus, address, length);
    return virtual_chips_ask(&what, data, length);
}

void corral_port_delay_us(uint32_t microseconds)
{
    uint8_t payload[4];
    const struct virtual_bus_request what = virtual_bus_delay(microseconds, payload);

    /* Virtual time where there is some, else that of the board. */
    if (virtual_chips_ask(&what, NULL, 0) != PSA_SUCCESS) {
        virtual_chips_wait(microseconds);
    }
}
