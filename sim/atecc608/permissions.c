/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions by SlotConfig and KeyConfig. */
#include "chip.h"

#include <string.h>

struct slot_rules permissions_of(const struct atecc608_sim_chip *chip, unsigned int slot)
{
    const uint8_t *bytes = chip->nvm.config + CONFIG_SLOT_CONFIG + 2 * slot;
    unsigned int slot_config = (unsigned int)bytes[0] | (unsigned int)bytes[1] << 8;
    struct slot_rules rules;
    unsigned int key_config;

    bytes = chip->nvm.config + CONFIG_KEY_CONFIG + 2 * slot;
    key_config = (unsigned int)bytes[0] | (unsigned int)bytes[1] << 8;
    rules.read_key = slot_config & 0x0F;
    rules.no_mac = (slot_config & 0x0010) != 0;
    rules.limited_use = (slot_config & 0x0020) != 0;
    rules.encrypt_read = (slot_config & 0x0040) != 0;
    rules.is_secret = (slot_config & 0x0080) != 0;
    rules.write_key = slot_config >> 8 & 0x0F;
    rules.write_config = slot_config >> 12 & 0x0F;
    rules.is_private = (key_config & 0x0001) != 0;
    rules.pub_info = (key_config & 0x0002) != 0;
    rules.key_type = key_config >> 2 & 0x07;
    rules.lockable = (key_config & 0x0020) != 0;
    rules.needs_random = (key_config & 0x0040) != 0;
    rules.needs_authorization = (key_config & 0x0080) != 0;
    rules.authorizing_key = key_config >> 8 & 0x0F;
    rules.persistent_disable = (key_config & 0x1000) != 0;
    return rules;
}

bool permissions_is_private(const struct slot_rules *rules)
{
    return rules->is_private && rules->key_type == KEY_TYPE_P256;
}

bool permissions_is_public(const struct slot_rules *rules)
{
    return !rules->is_private && rules->key_type == KEY_TYPE_P256;
}

static uint32_t read_le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* The number of uses that Counter[0] may reach: the counter's end, or the value that CountMatch
 * names. */
static uint32_t use_limit(const struct atecc608_sim_chip *chip)
{
    uint8_t match = chip->nvm.config[CONFIG_COUNT_MATCH];
    const uint8_t *value;

    if ((match & 1u) == 0) {
        return COUNTER_MAX;
    }
    value = zones_slot_const(chip, match >> 4);
    if (memcmp(value, value + 4, 4) != 0) {
        return 0; /* a value that is not written twice alike counts as no use left */
    }
    return read_le32(value);
}

uint8_t permissions_use_key(struct atecc608_sim_chip *chip, unsigned int slot)
{
    struct slot_rules rules = permissions_of(chip, slot);
    const struct volatile_state *ram = &chip->ram;

    if (!zones_config_locked(chip) || !zones_data_locked(chip)) {
        return STATUS_EXECUTION;
    }
    if (rules.persistent_disable && !chip->latch) {
        return STATUS_EXECUTION;
    }
    if (rules.needs_authorization &&
        !(ram->authorized && ram->authorizing_key == rules.authorizing_key)) {
        return STATUS_EXECUTION;
    }
    if (rules.needs_random && !(ram->tempkey.valid && !ram->tempkey.is_input)) {
        return STATUS_EXECUTION;
    }
    if (rules.limited_use) {
        if (chip->nvm.counter[0] >= use_limit(chip) || chip->nvm.counter[0] >= COUNTER_MAX) {
            return STATUS_EXECUTION;
        }
        chip->nvm.counter[0]++;
    }
    return STATUS_OK;
}
