/* SPDX-License-Identifier: Apache-2.0 */
/* I2C by RIOT's drivers. */
#include <corral/port.h>

#include "periph/i2c.h"

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    const i2c_t device = I2C_DEV(bus);
    static const uint8_t zero;

    i2c_acquire(device);
    /* Some of RIOT's drivers send nothing at all for no bytes; one of zeros wakes a chip, too. */
    const int status =
        i2c_write_bytes(device, address, length > 0 ? data : &zero, length > 0 ? length : 1, 0);
    i2c_release(device);
    /* Address 0 is the wake condition, which no chip acknowledges. */
    return status == 0 || address == 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    const i2c_t device = I2C_DEV(bus);

    i2c_acquire(device);
    const int status = i2c_read_bytes(device, address, data, length, 0);
    i2c_release(device);
    return status == 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}
