/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares the ATECC608 chips of a board for the key slots that the board declares.
 *
 * Without orders it only shows the state, and the steps that it would take. Orders are
 * lines of the board's input, NAME lock SERIAL, with the serial number of the very chip: it
 * is written and locked, which cannot be undone. Exit status 0 when every element is there
 * and fits its board or can be made to, and every order was carried out.
 */
#include <corral/board.h>
#include <corral/devices.h>
#include <corral/locations.h>

#include <string.h>

#include "../atecc608_provision.h"
#include "report.h"
#include "words.h"

#define FACTORY_ADDRESS 0x60

static const char *const names[] = {CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {CORRAL_ELEMENT_LOCATIONS};
#define ELEMENT_COUNT (sizeof names / sizeof names[0])

static const char *name_of(const struct atecc608_device *device)
{
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (locations[i] == device->location) {
            return names[i];
        }
    }
    return "?";
}

/* Whether some chip of the board belongs at this address of the bus. */
static bool is_taken(uint8_t bus, uint8_t address)
{
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        if (corral_atecc608_devices[i].bus == bus &&
            corral_atecc608_devices[i].address == address) {
            return true;
        }
    }
    return false;
}

/* Find the chip where it belongs, or, if it is new, where the factory left it. */
static psa_status_t find(const struct atecc608_device *device, struct atecc608_plan *plan)
{
    psa_status_t status = atecc608_plan(device, device->address, plan);

    if (status != PSA_SUCCESS && !is_taken(device->bus, FACTORY_ADDRESS)) {
        status = atecc608_plan(device, FACTORY_ADDRESS, plan);
    }
    return status;
}

static bool write_config(const struct atecc608_device *device, const struct atecc608_plan *plan)
{
    const psa_status_t status = atecc608_write_config(device, plan);

    corral_board_print(status == PSA_SUCCESS ? "  written\n"
                       : status == PSA_ERROR_NOT_PERMITTED
                           ? "  not written: the configuration zone is locked\n"
                           : "  writing failed: run it again\n");
    return status == PSA_SUCCESS;
}

/* Whether an order is for this very chip. */
static bool is_meant(const struct atecc608_plan *plan, const char *ordered)
{
    char serial[2 * sizeof plan->serial + 1];

    hex_of(plan->serial, sizeof plan->serial, serial);
    if (strcmp(serial, ordered) != 0) {
        corral_board_print("  nothing done: the order names another serial number\n");
        return false;
    }
    return true;
}

/* Write, unless that is past, and lock. */
static bool lock(const struct atecc608_device *device, const struct atecc608_plan *plan)
{
    if (!plan->config_is_locked && !write_config(device, plan)) {
        return false;
    }
    const psa_status_t status = atecc608_lock(device, plan);
    corral_board_print(
        status == PSA_SUCCESS ? "  locked\n"
        : status == PSA_ERROR_NOT_PERMITTED
            ? "  not locked: the chip is not configured as planned\n"
            : "  locking failed, perhaps after one of the two locks: run it again\n");
    return status == PSA_SUCCESS;
}

static bool serve(const struct atecc608_device *device)
{
    const char *name = name_of(device);
    struct atecc608_plan plan;
    char serial[2 * sizeof plan.serial + 1];
    bool is_done = true;

    if (find(device, &plan) != PSA_SUCCESS) {
        corral_board_print(name);
        corral_board_print(": no ATECC608 answers\n");
        return false;
    }
    report_plan(name, device, &plan);
    if (words_order(name, serial)) {
        is_done = is_meant(&plan, serial) && lock(device, &plan);
    } else {
        report_choices(name, &plan);
    }
    if (find(device, &plan) != PSA_SUCCESS) {
        corral_board_print("  the chip does not answer any more\n");
        return false;
    }
    report_machine(name, &plan);
    return is_done && (plan.unfit == 0 || !plan.config_is_locked);
}

int main(void)
{
    bool is_well = true;

    if (!words_read() || !words_understood(names, ELEMENT_COUNT)) {
        corral_board_print("The input holds something else than lines NAME lock SERIAL; nothing "
                           "was done.\n");
        return 2;
    }
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        is_well = serve(&corral_atecc608_devices[i]) && is_well;
    }
    return is_well ? 0 : 1;
}
