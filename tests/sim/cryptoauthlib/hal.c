/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that CryptoAuthLib asks a board for, over the virtual bus. */
#include "hal.h"

#include "atecc608_sim.h"
#include "cryptoauthlib.h"

#include <string.h>

static struct atecc608_sim_bus *bus;

void hal_use_bus(struct atecc608_sim_bus *the_bus)
{
    bus = the_bus;
}

ATCA_STATUS hal_i2c_init(ATCAIface iface, ATCAIfaceCfg *cfg)
{
    (void)cfg;
    iface->hal_data = bus;
    return bus != NULL ? ATCA_SUCCESS : ATCA_COMM_FAIL;
}

ATCA_STATUS hal_i2c_post_init(ATCAIface iface)
{
    (void)iface;
    return ATCA_SUCCESS;
}

ATCA_STATUS hal_i2c_send(ATCAIface iface, uint8_t word_address, uint8_t *txdata, int txlength)
{
    uint8_t buffer[1 + 160];
    size_t length = txdata != NULL && txlength > 0 ? (size_t)txlength : 0;

    if (length + 1 > sizeof(buffer)) {
        return ATCA_BAD_PARAM;
    }
    buffer[0] = word_address;
    if (length > 0) {
        memcpy(buffer + 1, txdata, length);
    }
    return atecc608_sim_write(bus, ATCA_IFACECFG_VALUE(iface->mIfaceCFG, atcai2c.address) >> 1,
                              buffer, length + 1) == ATECC608_SIM_ACK
               ? ATCA_SUCCESS
               : ATCA_COMM_FAIL;
}

ATCA_STATUS hal_i2c_receive(ATCAIface iface, uint8_t address, uint8_t *rxdata, uint16_t *rxlength)
{
    (void)iface;
    return atecc608_sim_read(bus, address >> 1, rxdata, *rxlength) == ATECC608_SIM_ACK
               ? ATCA_SUCCESS
               : ATCA_COMM_FAIL;
}

ATCA_STATUS hal_i2c_control(ATCAIface iface, uint8_t option, void *param, size_t paramlen)
{
    uint32_t hz;

    (void)iface;
    if (option == ATCA_HAL_CHANGE_BAUD && paramlen == sizeof(hz)) {
        memcpy(&hz, param, sizeof(hz));
        atecc608_sim_set_hz(bus, hz);
        return ATCA_SUCCESS;
    }
    return ATCA_UNIMPLEMENTED;
}

ATCA_STATUS hal_i2c_release(void *hal_data)
{
    (void)hal_data;
    return ATCA_SUCCESS;
}

void hal_delay_us(uint32_t delay)
{
    atecc608_sim_delay_us(bus, delay);
}

void hal_delay_ms(uint32_t delay)
{
    atecc608_sim_delay_us(bus, delay * 1000);
}

/* One thread: a lock is nothing. */
ATCA_STATUS hal_create_mutex(void **mutex, const char *name)
{
    static char only;

    (void)name;
    *mutex = &only;
    return ATCA_SUCCESS;
}

ATCA_STATUS hal_destroy_mutex(void *mutex)
{
    (void)mutex;
    return ATCA_SUCCESS;
}

ATCA_STATUS hal_lock_mutex(void *mutex)
{
    (void)mutex;
    return ATCA_SUCCESS;
}

ATCA_STATUS hal_unlock_mutex(void *mutex)
{
    (void)mutex;
    return ATCA_SUCCESS;
}
