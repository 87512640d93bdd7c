/* SPDX-License-Identifier: Apache-2.0 */
/* Locks the board's vaults, on the order NAME lock SERIAL. */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/devices.h>
#include <corral/locations.h>

#include "../vault.h"

static const char *const names[] = {CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {CORRAL_ELEMENT_LOCATIONS};
static char orders[512];

static bool read_orders(void)
{
    size_t length = 0;

    return !corral_board_input_rewind() ||
           corral_board_input_read((uint8_t *)orders, sizeof orders - 1, &length);
}

static bool is_ordered(const char *name, const char *serial)
{
    char line[64];

    snprintf(line, sizeof line, "%s lock %s\n", name, serial);
    return strstr(orders, line) != NULL;
}

static const char *name_of(const struct vault_device *device)
{
    size_t i = 0;

    while (locations[i] != device->location) {
        i++;
    }
    return names[i];
}

static bool serve(const struct vault_device *device)
{
    const char *name = name_of(device);
    uint8_t info[1 + VAULT_SERIAL_SIZE];
    char serial[2 * VAULT_SERIAL_SIZE + 1];

    if (vault_info(device, info) != PSA_SUCCESS) {
        printf("%s: no vault answers\n", name);
        return false;
    }
    for (size_t i = 0; i < VAULT_SERIAL_SIZE; i++) {
        snprintf(serial + 2 * i, 3, "%02X", info[1 + i]);
    }
    printf("%s: vault with serial number %s, %s\n", name, serial, info[0] ? "locked" : "open");
    if (is_ordered(name, serial)) {
        (void)vault_lock(device, info + 1);
    }
    if (vault_info(device, info) != PSA_SUCCESS) {
        return false;
    }
    printf("corral-provision {\"element\": \"%s\", \"serial\": \"%s\", \"state\": \"%s\"}\n", name,
           serial, info[0] ? "ready" : "open");
    return true;
}

int main(void)
{
    bool is_well = read_orders();

    for (size_t i = 0; i < CORRAL_VAULT_DEVICE_COUNT; i++) {
        is_well = serve(&corral_vault_devices[i]) && is_well;
    }
    return is_well ? 0 : 1;
}
