/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the device keys that a board declares for its parts.
 *
 * Without orders it only shows what is there. Orders are lines of the board's input, NAME lock
 * SERIAL, with the serial number of the very part: its device keys are generated and locked, which
 * cannot be undone. Exit status 0 when every part is there and fits its board or can be made to,
 * and every order was carried out.
 */
#include <corral/board.h>
#include <corral/devices.h>
#include <corral/locations.h>

#include <stdio.h>
#include <string.h>

#include "../keyslots_provision.h"

#define SERIAL_DIGITS (2 * KEYSLOTS_SERIAL_SIZE)

static const char *const names[] = {CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {CORRAL_ELEMENT_LOCATIONS};
static char orders[512];

/* Orders are whole lines; a line longer than the buffer is no order. */
static bool read_orders(void)
{
    size_t length = 0;

    return !corral_board_input_rewind() ||
           (corral_board_input_read((uint8_t *)orders, sizeof orders, &length) &&
            length < sizeof orders);
}

static bool is_ordered(const char *name, const char *serial)
{
    char order[64];
    const size_t length = (size_t)snprintf(order, sizeof order, "%s lock %s", name, serial);

    for (const char *line = orders; *line != '\0';) {
        const size_t size = strcspn(line, "\n");

        if (size == length && strncmp(line, order, length) == 0) {
            return true;
        }
        line += size + (line[size] == '\n');
    }
    return false;
}

static const char *name_of(const struct keyslots_device *device)
{
    size_t i = 0;

    while (locations[i] != device->location) {
        i++;
    }
    return names[i];
}

static const char *state_of(const struct keyslots_plan *plan)
{
    return plan->is_unfit ? "unfit" : plan->missing != 0 ? "open" : "ready";
}

static void print(const char *format, const char *first, const char *second, const char *third)
{
    char line[128];

    (void)snprintf(line, sizeof line, format, first, second, third);
    corral_board_print(line);
}

static bool serve(const struct keyslots_device *device)
{
    const char *name = name_of(device);
    char serial[SERIAL_DIGITS + 1];
    struct keyslots_plan plan;

    if (keyslots_plan(device, &plan) != PSA_SUCCESS) {
        print("%s: no part answers%s%s\n", name, "", "");
        return false;
    }
    for (size_t i = 0; i < KEYSLOTS_SERIAL_SIZE; i++) {
        (void)snprintf(serial + 2 * i, 3, "%02X", (unsigned)plan.part.serial[i]);
    }
    print("%s: key slots with serial number %s, %s\n", name, serial, state_of(&plan));
    if (plan.missing != 0 && !plan.is_unfit && is_ordered(name, serial)) {
        const bool is_locked = keyslots_lock(device, &plan) == PSA_SUCCESS;

        if (!is_locked || keyslots_plan(device, &plan) != PSA_SUCCESS || plan.missing != 0) {
            print("%s: its device keys could not all be made%s%s\n", name, "", "");
            return false;
        }
        print("%s: its device keys are made and locked%s%s\n", name, "", "");
    }
    print("corral-provision {\"element\": \"%s\", \"serial\": \"%s\", \"state\": \"%s\"}\n", name,
          serial, state_of(&plan));
    return !plan.is_unfit;
}

int main(void)
{
    if (!read_orders()) {
        corral_board_print("the orders cannot be read\n");
        return 1;
    }
    bool is_well = true;
    for (size_t i = 0; i < CORRAL_KEYSLOTS_DEVICE_COUNT; i++) {
        is_well = serve(&corral_keyslots_devices[i]) && is_well;
    }
    return is_well ? 0 : 1;
}
