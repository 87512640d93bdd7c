/* SPDX-License-Identifier: Apache-2.0 */
/* Execution times: the maxima that Microchip publishes for the three clock dividers. */
#include "chip.h"

struct execution_time {
    uint8_t opcode;
    uint16_t milliseconds[3]; /* clock divider M0, M1, M2 */
};

static const struct execution_time times[] = {
    {OP_AES, {27, 27, 27}},
    {OP_CHECK_MAC, {40, 40, 40}},
    {OP_COUNTER, {25, 25, 25}},
    {OP_DERIVE_KEY, {50, 50, 50}},
    {OP_ECDH, {75, 172, 531}},
    {OP_GENDIG, {25, 35, 35}},
    {OP_GENKEY, {115, 215, 653}},
    {OP_INFO, {5, 5, 5}},
    {OP_KDF, {165, 165, 165}},
    {OP_LOCK, {35, 35, 35}},
    {OP_MAC, {55, 55, 55}},
    {OP_NONCE, {20, 20, 20}},
    {OP_PRIV_WRITE, {50, 50, 50}},
    {OP_RANDOM, {23, 23, 23}},
    {OP_READ, {5, 5, 5}},
    {OP_SHA, {36, 42, 75}},
    {OP_SELF_TEST, {250, 625, 2324}},
    {OP_SIGN, {115, 220, 665}},
    {OP_UPDATE_EXTRA, {10, 10, 10}},
    {OP_VERIFY, {105, 295, 1085}},
    {OP_WRITE, {45, 45, 45}},
};

enum {
    REFUSAL_US = 2000,
    DIVIDER_M1 = 0x28,
    DIVIDER_M2 = 0x68,
    DIVIDER_MASK = 0xF8,
    WATCHDOG_LONG = 0x04
};

uint32_t time_of(const struct atecc608_sim_chip *chip, uint8_t opcode)
{
    uint8_t divider = chip->nvm.config[CONFIG_CHIP_MODE] & DIVIDER_MASK;
    unsigned int column = divider == DIVIDER_M1 ? 1 : divider == DIVIDER_M2 ? 2 : 0;

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        if (times[i].opcode == opcode) {
            return times[i].milliseconds[column] * 10u * chip->time_percent;
        }
    }
    return REFUSAL_US;
}

uint64_t time_watchdog(const struct atecc608_sim_chip *chip)
{
    return (chip->nvm.config[CONFIG_CHIP_MODE] & WATCHDOG_LONG) != 0 ? 13000000 : 1300000;
}
