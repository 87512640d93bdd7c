/* SPDX-License-Identifier: Apache-2.0 */
/* Random and Nonce. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum {
    NONCE_UPDATE_SEED = 0x00,
    NONCE_NO_UPDATE = 0x01,
    NONCE_FIXED = 0x03,
    NONCE_64_BYTES = 0x20,
    NONCE_TARGET = 0xC0,
    NONCE_TO_TEMPKEY = 0x00,
    NONCE_TO_DIGEST_BUFFER = 0x40,
    NONCE_TO_ALTERNATE_KEY = 0x80,
    NUM_IN_SIZE = 20,
};

/* 32 bytes of the generator. A chip whose configuration is not locked gives a fixed pattern
 * instead. */
static bool draw(const struct atecc608_sim_chip *chip, uint8_t output[32])
{
    if (zones_config_locked(chip)) {
        return crypto_random(output, 32);
    }
    for (unsigned int i = 0; i < 32; i++) {
        output[i] = i % 4 < 2 ? 0xFF : 0x00;
    }
    return true;
}

uint8_t cmd_random(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                   size_t *output_length)
{
    if (command->length != 0 || command->param1 > 1 || command->param2 != 0) {
        return STATUS_PARSE;
    }
    if (!draw(chip, output)) {
        return STATUS_HEALTH;
    }
    *output_length = 32;
    return STATUS_OK;
}

/* TempKey becomes SHA-256 of a random value (or of TempKey), the host's input and the command. */
static uint8_t nonce_random(struct atecc608_sim_chip *chip, const struct command *command,
                            uint8_t *output, size_t *output_length)
{
    bool from_tempkey = (command->param2 & 0x8000) != 0;
    uint8_t message[32 + NUM_IN_SIZE + 3];
    uint8_t digest[32];

    if (command->length != NUM_IN_SIZE || (command->param2 & 0x7FFF) != 0 ||
        (command->param1 & (NONCE_64_BYTES | NONCE_TARGET)) != 0) {
        return STATUS_PARSE;
    }
    if (from_tempkey && (!chip->ram.tempkey.valid || chip->ram.tempkey.holds_private)) {
        return STATUS_EXECUTION;
    }
    if (!draw(chip, message)) {
        return STATUS_HEALTH;
    }
    memcpy(output, message, 32);
    if (from_tempkey) {
        memcpy(message, chip->ram.tempkey.value, 32);
    }
    memcpy(message + 32, command->data, NUM_IN_SIZE);
    message[32 + NUM_IN_SIZE] = command->opcode;
    message[32 + NUM_IN_SIZE + 1] = command->param1;
    message[32 + NUM_IN_SIZE + 2] = (uint8_t)command->param2;
    crypto_sha256(message, sizeof(message), digest);
    chip->ram.sha.active = false;
    if (from_tempkey) {
        tempkey_replace(chip, digest); /* the flags stay as they were */
        memcpy(output, digest, 32);
    } else {
        tempkey_set(chip, digest, 32, false);
    }
    *output_length = 32;
    return STATUS_OK;
}

static uint8_t nonce_fixed(struct atecc608_sim_chip *chip, const struct command *command)
{
    size_t length = (command->param1 & NONCE_64_BYTES) != 0 ? 64 : 32;
    uint8_t target = command->param1 & NONCE_TARGET;

    if (command->length != length || command->param2 != 0) {
        return STATUS_PARSE;
    }
    switch (target) {
    case NONCE_TO_TEMPKEY:
        tempkey_set(chip, command->data, length, true);
        return STATUS_OK;
    case NONCE_TO_DIGEST_BUFFER:
        digest_buffer_set(chip, command->data, length);
        return STATUS_OK;
    case NONCE_TO_ALTERNATE_KEY:
        if (length != 32) {
            return STATUS_PARSE;
        }
        memcpy(chip->ram.alternate_key, command->data, length);
        chip->ram.alternate_key_valid = true;
        return STATUS_OK;
    default:
        return STATUS_PARSE;
    }
}

uint8_t cmd_nonce(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                  size_t *output_length)
{
    uint8_t mode = command->param1 & 0x03;

    if ((command->param1 & ~(0x03 | NONCE_64_BYTES | NONCE_TARGET)) != 0) {
        return STATUS_PARSE;
    }
    if (mode == NONCE_FIXED) {
        return nonce_fixed(chip, command);
    }
    if (mode == NONCE_UPDATE_SEED || mode == NONCE_NO_UPDATE) {
        return nonce_random(chip, command, output, output_length);
    }
    return STATUS_PARSE;
}
