/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by which a program in the same process reads and changes a chip, beside the bus. */
#include "chip.h"

uint8_t atecc608_sim_address(const struct atecc608_sim_chip *chip)
{
    return chip->address;
}

uint32_t atecc608_sim_transactions(const struct atecc608_sim_chip *chip)
{
    return chip->transactions;
}

void atecc608_sim_reset_transactions(struct atecc608_sim_chip *chip)
{
    chip->transactions = 0;
}

void atecc608_sim_power_cycle(struct atecc608_sim_chip *chip)
{
    bus_power_loss(chip, false);
}

const char *atecc608_sim_state(const struct atecc608_sim_chip *chip)
{
    switch (chip->state) {
    case STATE_ASLEEP:
        return "asleep";
    case STATE_IDLE:
        return "idle";
    case STATE_AWAKE:
        return "awake";
    default:
        return "busy";
    }
}
