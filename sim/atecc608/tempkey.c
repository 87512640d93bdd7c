/* SPDX-License-Identifier: Apache-2.0 */
/* The volatile buffers that hold what the next command works on. */
#include "chip.h"

#include <string.h>

void tempkey_set(struct atecc608_sim_chip *chip, const uint8_t *value, size_t length, bool is_input)
{
    struct tempkey *tempkey = &chip->ram.tempkey;
    uint8_t copy[64];

    memcpy(copy, value, length); /* value may lie in TempKey itself */
    memset(tempkey, 0, sizeof(*tempkey));
    memcpy(tempkey->value, copy, length);
    memset(copy, 0, sizeof(copy));
    tempkey->valid = true;
    tempkey->is_64 = length == 64;
    tempkey->is_input = is_input;
}

void tempkey_clear(struct atecc608_sim_chip *chip)
{
    memset(&chip->ram.tempkey, 0, sizeof(chip->ram.tempkey));
}

void tempkey_replace(struct atecc608_sim_chip *chip, const uint8_t value[32])
{
    struct tempkey *tempkey = &chip->ram.tempkey;

    memcpy(tempkey->value, value, 32);
    memset(tempkey->value + 32, 0, 32);
    tempkey->valid = true;
    tempkey->is_64 = false;
    tempkey->holds_private = false;
}

uint8_t tempkey_flags(const struct tempkey *tempkey)
{
    return (uint8_t)((tempkey->key_id & 0x0Fu) | (tempkey->is_input ? 0x10u : 0u) |
                     (tempkey->gen_dig ? 0x20u : 0u) | (tempkey->gen_key ? 0x40u : 0u) |
                     (tempkey->no_mac ? 0x80u : 0u));
}

void digest_buffer_set(struct atecc608_sim_chip *chip, const uint8_t *value, size_t length)
{
    memset(chip->ram.digest_buffer, 0, sizeof(chip->ram.digest_buffer));
    memcpy(chip->ram.digest_buffer, value, length);
    chip->ram.digest_buffer_length = (uint8_t)length;
}

const uint8_t *message_source(const struct atecc608_sim_chip *chip, bool from_digest_buffer)
{
    if (from_digest_buffer) {
        return chip->ram.digest_buffer_length >= 32 ? chip->ram.digest_buffer : NULL;
    }
    return chip->ram.tempkey.valid && !chip->ram.tempkey.holds_private ? chip->ram.tempkey.value
                                                                       : NULL;
}
