/* SPDX-License-Identifier: Apache-2.0 */
#include "serve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint8_t served_write(void *chips, uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    const struct served *served = chips;

    return (uint8_t)atecc608_sim_write(served->buses[bus], address, data, length);
}

uint8_t served_read(void *chips, uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    const struct served *served = chips;

    return (uint8_t)atecc608_sim_read(served->buses[bus], address, data, length);
}

void served_delay(void *chips, uint32_t microseconds)
{
    const struct served *served = chips;

    for (size_t i = 0; i < SERVED_BUSES; i++) {
        if (served->buses[i] != NULL) {
            atecc608_sim_delay_us(served->buses[i], microseconds);
        }
    }
}

static struct atecc608_sim_chip *find_chip(const struct served *served, uint8_t bus,
                                           uint8_t address)
{
    for (size_t i = 0; i < served->chip_count; i++) {
        const struct served_chip *entry = &served->chips[i];

        if (entry->bus == bus && atecc608_sim_address(entry->chip) == address) {
            return entry->chip;
        }
    }
    return NULL;
}

uint8_t served_control(void *chips, uint8_t bus, uint8_t address, const char *text, char *answer,
                       size_t room)
{
    const struct served *served = chips;
    struct atecc608_sim_chip *chip = find_chip(served, bus, address);

    if (chip == NULL) {
        snprintf(answer, room, "no chip with address 0x%02X on bus %u", address, bus);
        return ATECC608_SIM_BUS_ERROR;
    }
    if (strcmp(text, "transactions") == 0) {
        snprintf(answer, room, "%" PRIu32, atecc608_sim_transactions(chip));
    } else if (strcmp(text, "reset-transactions") == 0) {
        atecc608_sim_reset_transactions(chip);
    } else if (strcmp(text, "power-cycle") == 0) {
        atecc608_sim_power_cycle(chip);
    } else if (strcmp(text, "state") == 0) {
        snprintf(answer, room, "%s", atecc608_sim_state(chip));
    } else if (strcmp(text, "time") == 0) {
        snprintf(answer, room, "%" PRIu64, atecc608_sim_time_us(served->buses[bus]));
    } else if (!atecc608_sim_fault(chip, text)) {
        snprintf(answer, room, "neither a fault nor a question, or too many faults: %s", text);
        return ATECC608_SIM_BUS_ERROR;
    }
    return ATECC608_SIM_ACK;
}
