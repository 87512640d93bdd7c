/* SPDX-License-Identifier: Apache-2.0 */
#include "chips.h"

#include <stdio.h>
#include <string.h>

#include <corral/devices.h>
#include <corral/port.h>

#include "../../drivers/atecc608/atecc608_provision.h"
#include "../../ports/common/flash_model.h"
#include "../../sim/atecc608/atecc608_sim.h"
#include "../harness/harness.h"

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length);
psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data,
                                         size_t length);
void __wrap_corral_port_delay_us(uint32_t microseconds);

static struct atecc608_sim_bus *bus_0;
static struct atecc608_sim_chip *chips[CORRAL_ATECC608_DEVICE_COUNT];
static uint32_t transactions;
static uint32_t cut_at;
static bool is_whole_device;

/* Count a transaction; from the planned one on the flash has no power either. */
static bool has_power(void)
{
    if (cut_at != 0 && ++transactions == cut_at && is_whole_device) {
        flash_model_cut(1, FLASH_MODEL_NOTHING);
        (void)flash_model_erase(0); /* the step during which power fails; it changes nothing */
    }
    return cut_at == 0 || transactions < cut_at || !is_whole_device;
}

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length)
{
    (void)bus;
    const bool is_powered = has_power();
    const bool is_done = atecc608_sim_write(bus_0, address, data, length) == ATECC608_SIM_ACK;
    return is_powered && is_done ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    (void)bus;
    const bool is_powered = has_power();
    const bool is_done = atecc608_sim_read(bus_0, address, data, length) == ATECC608_SIM_ACK;
    return is_powered && is_done ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

void __wrap_corral_port_delay_us(uint32_t microseconds)
{
    atecc608_sim_delay_us(bus_0, microseconds);
}

void chips_prepare(void)
{
    bus_0 = atecc608_sim_bus_new();
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        const struct atecc608_device *device = &corral_atecc608_devices[i];
        const struct atecc608_sim_options options = {.address = device->address, .time_percent = 5};
        struct atecc608_plan plan;

        chips[i] = atecc608_sim_attach(bus_0, &options, NULL, 0);
        NEED(atecc608_plan(device, device->address, &plan));
        NEED(atecc608_write_config(device, &plan));
        NEED(atecc608_lock(device, &plan));
    }
}

void chips_restart(void)
{
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        struct atecc608_session session;

        atecc608_sim_fault(chips[i], "clear");
        atecc608_sim_power_cycle(chips[i]);
        atecc608_open_device(&session, &corral_atecc608_devices[i]);
        memset(atecc608_state(&session), 0, sizeof(struct atecc608_state));
        (void)atecc608_close(&session, PSA_SUCCESS);
    }
}

void chips_cut(uint32_t number, bool with_result, bool chip_alone)
{
    char fault[40];

    (void)snprintf(fault, sizeof fault, "power%s@%u+", with_result ? "-after" : "",
                   (unsigned)number);
    CHECK(atecc608_sim_fault(chips[0], fault));
    transactions = 0;
    cut_at = number;
    is_whole_device = !chip_alone;
}

bool chips_power_on(void)
{
    const bool was_cut = cut_at != 0 && transactions >= cut_at;

    cut_at = 0;
    (void)atecc608_sim_fault(chips[0], "clear");
    return was_cut;
}
