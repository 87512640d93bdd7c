/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <string.h>

#include <corral/devices.h>
#include <corral/port.h>

#include "../../../drivers/keyslots/keys.h"
#include "../../../drivers/keyslots/keyslots_provision.h"
#include "../../persistent/device.h"

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length);
psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data,
                                         size_t length);

static const struct corral_flash_geometry geometry = {1024, 3, 8, false};

struct keyslots_sim *part;
const struct keyslots_device *const device = &corral_keyslots_devices[0];
static uint32_t cut_at; /* by the part's count; 0: no cut is planned */
static bool is_whole_device;
static uint8_t said; /* in place of the part's status, unless 0 */

/* From the cut on the host has no power either. */
static psa_status_t outcome(bool is_done)
{
    const uint32_t number = keyslots_sim_transactions(part);
    const bool is_off = is_whole_device && cut_at != 0 && number >= cut_at;

    if (is_off && number == cut_at) {
        flash_model_cut(1, FLASH_MODEL_NOTHING);
        (void)flash_model_erase(0); /* the step during which power fails; it changes nothing */
    }
    return is_done && !is_off ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length)
{
    CHECK(bus == device->bus && address == device->address);
    return outcome(keyslots_sim_write(part, data, length));
}

psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    CHECK(bus == device->bus && address == device->address);
    const psa_status_t status = outcome(keyslots_sim_read(part, data, length));
    if (status == PSA_SUCCESS && said != 0) {
        data[0] = said;
    }
    return status;
}

void rig_say(uint8_t status)
{
    said = status;
}

void rig_restart(void)
{
    (void)rig_mend();
    device_off();
    memset(keyslots_owned, 0, sizeof keyslots_owned);
    keyslots_sim_power_cycle(part);
    NEED(psa_crypto_init());
}

void rig_fresh(void)
{
    struct keyslots_plan plan;

    keyslots_sim_free(part);
    part = keyslots_sim_new(NULL, NULL, 0);
    NEED(keyslots_plan(device, &plan));
    NEED(keyslots_lock(device, &plan));
    device_new(&geometry);
    rig_restart();
}

void rig_cut(const char *fault, unsigned number, bool with_host)
{
    char text[40];

    (void)snprintf(text, sizeof text, "%s@%u%s", fault, number, with_host ? "+" : "");
    CHECK(keyslots_sim_fault(part, text));
    cut_at = keyslots_sim_transactions(part) + number;
    is_whole_device = with_host;
}

bool rig_mend(void)
{
    const bool has_happened = cut_at != 0 && keyslots_sim_transactions(part) >= cut_at;

    CHECK(keyslots_sim_fault(part, "clear"));
    (void)flash_model_power_on();
    cut_at = 0;
    return has_happened;
}

int main(void)
{
    const struct test_suite *const suites[] = {&suite_slots, &suite_cuts};

    rig_fresh();
    const int status = test_initialise_and_run(suites, 2);
    keyslots_sim_free(part);
    return status;
}
