/* SPDX-License-Identifier: Apache-2.0 */
/* GenDig, MAC, CheckMac, DeriveKey: the commands around SHA-256 of a key. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

void mac_digest(const struct atecc608_sim_chip *chip, const uint8_t first[32],
                const uint8_t header[4], size_t zeros, const uint8_t *last, size_t last_length,
                uint8_t digest[32])
{
    uint8_t message[32 + 4 + 3 + 25 + 36] = {0};
    uint8_t serial[9];

    zones_serial(chip, serial);
    memcpy(message, first, 32);
    memcpy(message + 32, header, 4);
    message[36] = serial[8];
    memcpy(message + 37, serial, 2);
    memcpy(message + 39 + zeros, last, last_length);
    crypto_sha256(message, 39 + zeros + last_length, digest);
    memset(message, 0, sizeof(message));
}

const uint8_t *io_protection_key(const struct atecc608_sim_chip *chip)
{
    uint16_t options = chip_options(chip);

    if ((options & CHIP_OPTION_IO_PROTECTION) == 0 || !zones_data_locked(chip)) {
        return NULL;
    }
    return zones_slot_const(chip, options >> 12);
}

uint8_t io_protect(const struct atecc608_sim_chip *chip, uint8_t *data, size_t length,
                   uint8_t nonce[32])
{
    const uint8_t *key = io_protection_key(chip);
    uint8_t input[32 + 16];
    uint8_t mask[32];

    if (key == NULL) {
        return STATUS_EXECUTION;
    }
    if (!crypto_random(nonce, 32)) {
        return STATUS_HEALTH;
    }
    for (size_t block = 0; block < length / 32; block++) {
        memcpy(input, key, 32);
        memcpy(input + 32, nonce + 16 * block, 16);
        crypto_sha256(input, sizeof(input), mask);
        for (size_t i = 0; i < 32; i++) {
            data[32 * block + i] ^= mask[i];
        }
    }
    memset(input, 0, sizeof(input));
    memset(mask, 0, sizeof(mask));
    return STATUS_OK;
}

/* A key in a slot that is not a private key. NULL when it is one. */
static const uint8_t *symmetric_key(const struct atecc608_sim_chip *chip, unsigned int slot)
{
    struct slot_rules rules = permissions_of(chip, slot);

    return rules.is_private ? NULL : zones_slot_const(chip, slot);
}

/* --- GenDig --- */

enum {
    GENDIG_CONFIG,
    GENDIG_OTP,
    GENDIG_DATA,
    GENDIG_SHARED_NONCE,
    GENDIG_COUNTER,
    GENDIG_KEY_CONFIG,
};

/* The four bytes after the key: the command, or what the host says instead for a key with NoMac. */
static void gendig_header(const struct command *command, bool no_mac, uint8_t header[4])
{
    header[0] = command->opcode;
    header[1] = command->param1;
    header[2] = (uint8_t)command->param2;
    header[3] = command->param1 == GENDIG_SHARED_NONCE ? 0 : (uint8_t)(command->param2 >> 8);
    if (no_mac && command->length == 4) {
        memcpy(header, command->data, 4);
    }
}

/* GenDig over a slot: TempKey then remembers which key took part. */
static uint8_t gendig_slot(struct atecc608_sim_chip *chip, const struct command *command)
{
    struct tempkey *tempkey = &chip->ram.tempkey;
    unsigned int slot = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, slot);
    const uint8_t *key = symmetric_key(chip, slot);
    uint8_t header[4];
    uint8_t digest[32];
    uint8_t status;

    if (key == NULL || (rules.no_mac && command->length != 4)) {
        return STATUS_EXECUTION;
    }
    status = permissions_use_key(chip, slot);
    if (status != STATUS_OK) {
        return status;
    }
    gendig_header(command, rules.no_mac, header);
    mac_digest(chip, key, header, 25, tempkey->value, 32, digest);
    tempkey_replace(chip, digest);
    tempkey->gen_dig = true;
    tempkey->gen_key = false;
    tempkey->key_id = (uint8_t)slot;
    tempkey->no_mac = tempkey->no_mac || rules.no_mac;
    return STATUS_OK;
}

/* The zeros-and-value forms: a counter, or the configuration of a slot. */
static uint8_t gendig_value(struct atecc608_sim_chip *chip, const struct command *command)
{
    static const uint8_t zero_key[32] = {0};
    uint8_t last[25 + 32] = {0};
    uint8_t header[4];
    uint8_t digest[32];
    unsigned int id = command->param2;

    if (command->param1 == GENDIG_COUNTER) {
        if (id > 1) {
            return STATUS_PARSE;
        }
        for (unsigned int i = 0; i < 4; i++) {
            last[1 + i] = (uint8_t)(chip->nvm.counter[id] >> 8 * i);
        }
    } else {
        if (id >= SLOT_COUNT) {
            return STATUS_PARSE;
        }
        memcpy(last + 1, chip->nvm.config + CONFIG_SLOT_CONFIG + 2 * id, 2);
        memcpy(last + 3, chip->nvm.config + CONFIG_KEY_CONFIG + 2 * id, 2);
        last[5] = zones_slot_locked(chip, id) ? 0 : 1;
    }
    memcpy(last + 25, chip->ram.tempkey.value, 32);
    gendig_header(command, false, header);
    mac_digest(chip, zero_key, header, 0, last, sizeof(last), digest);
    tempkey_replace(chip, digest);
    chip->ram.tempkey.gen_dig = false;
    chip->ram.tempkey.key_id = 0;
    return STATUS_OK;
}

/* Config, OTP and shared nonce: 32 bytes that are no key. */
static uint8_t gendig_block(struct atecc608_sim_chip *chip, const struct command *command)
{
    struct tempkey *tempkey = &chip->ram.tempkey;
    const uint8_t *first = tempkey->value;
    const uint8_t *last = tempkey->value;
    unsigned int blocks = command->param1 == GENDIG_CONFIG ? 4 : 2;
    uint8_t header[4];
    uint8_t digest[32];

    if (command->param1 == GENDIG_SHARED_NONCE) {
        if (command->length != 32) {
            return STATUS_PARSE;
        }
        *((command->param2 & 0x8000) != 0 ? &last : &first) = command->data;
    } else {
        if (command->param2 >= blocks) {
            return STATUS_PARSE;
        }
        if (command->param1 == GENDIG_OTP && !zones_data_locked(chip)) {
            return STATUS_EXECUTION;
        }
        first = (command->param1 == GENDIG_CONFIG ? chip->nvm.config : chip->nvm.otp) +
                (size_t)BLOCK_SIZE * command->param2;
    }
    gendig_header(command, false, header);
    mac_digest(chip, first, header, 25, last, 32, digest);
    tempkey_replace(chip, digest);
    tempkey->gen_dig = false;
    tempkey->key_id = 0;
    return STATUS_OK;
}

uint8_t cmd_gendig(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                   size_t *output_length)
{
    bool has_nonce = command->param1 == GENDIG_SHARED_NONCE;

    (void)output;
    (void)output_length;
    if (command->param1 > GENDIG_KEY_CONFIG ||
        (!has_nonce && command->length != 0 && command->length != 4)) {
        return STATUS_PARSE;
    }
    if (!chip->ram.tempkey.valid || chip->ram.tempkey.holds_private || !zones_config_locked(chip)) {
        return STATUS_EXECUTION;
    }
    chip->ram.sha.active = false;
    switch (command->param1) {
    case GENDIG_DATA:
        return command->param2 < SLOT_COUNT ? gendig_slot(chip, command) : STATUS_PARSE;
    case GENDIG_COUNTER:
    case GENDIG_KEY_CONFIG:
        return gendig_value(chip, command);
    default:
        return gendig_block(chip, command);
    }
}

/* --- MAC --- */

enum {
    MAC_SECOND_TEMPKEY = 0x01,
    MAC_FIRST_TEMPKEY = 0x02,
    MAC_SOURCE_INPUT = 0x04,
    MAC_OTP_88 = 0x10,
    MAC_OTP_64 = 0x20,
    MAC_SERIAL = 0x40,
    MAC_MESSAGE_SIZE = 88,
};

/* TempKey as MAC and CheckMac want it: valid, of the source that the mode names. */
static bool tempkey_fits(const struct atecc608_sim_chip *chip, uint8_t mode)
{
    const struct tempkey *tempkey = &chip->ram.tempkey;

    return tempkey->valid && !tempkey->holds_private && !tempkey->no_mac &&
           tempkey->is_input == ((mode & MAC_SOURCE_INPUT) != 0);
}

uint8_t cmd_mac(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                size_t *output_length)
{
    uint8_t mode = command->param1;
    bool first = (mode & MAC_FIRST_TEMPKEY) != 0;
    bool second = (mode & MAC_SECOND_TEMPKEY) != 0;
    uint8_t message[MAC_MESSAGE_SIZE] = {0};
    uint8_t serial[9];
    uint8_t status = STATUS_OK;

    if ((mode & 0x88) != 0 || command->length != (second ? 0u : 32u) ||
        (!first && command->param2 >= SLOT_COUNT)) {
        return STATUS_PARSE;
    }
    if ((first || second) && !tempkey_fits(chip, mode)) {
        tempkey_clear(chip);
        return STATUS_EXECUTION;
    }
    if (!first) {
        struct slot_rules rules = permissions_of(chip, command->param2);

        status = rules.is_private || rules.no_mac ? STATUS_EXECUTION
                                                  : permissions_use_key(chip, command->param2);
    }
    if (status != STATUS_OK) {
        return status;
    }
    memcpy(message, first ? chip->ram.tempkey.value : zones_slot_const(chip, command->param2), 32);
    memcpy(message + 32, second ? chip->ram.tempkey.value : command->data, 32);
    message[64] = command->opcode;
    message[65] = mode;
    message[66] = (uint8_t)command->param2;
    message[67] = (uint8_t)(command->param2 >> 8);
    memcpy(message + 68, chip->nvm.otp,
           (mode & MAC_OTP_88) != 0   ? 11
           : (mode & MAC_OTP_64) != 0 ? 8
                                      : 0);
    zones_serial(chip, serial);
    message[79] = serial[8];
    memcpy(message + 84, serial, 2);
    if ((mode & MAC_SERIAL) != 0) {
        memcpy(message + 80, serial + 4, 4);
        memcpy(message + 86, serial + 2, 2);
    }
    crypto_sha256(message, sizeof(message), output);
    memset(message, 0, sizeof(message));
    chip->ram.sha.active = false;
    if (first || second) {
        tempkey_clear(chip);
    }
    *output_length = 32;
    return STATUS_OK;
}

/* --- CheckMac --- */

enum { CHALLENGE_SIZE = 32, MAC_RESPONSE_SIZE = 32, CHECK_OTHER_SIZE = 13 };

static void check_mac_digest(const struct atecc608_sim_chip *chip, const struct command *command,
                             uint8_t digest[32])
{
    uint8_t mode = command->param1;
    const uint8_t *other = command->data + CHALLENGE_SIZE + MAC_RESPONSE_SIZE;
    const uint8_t *tempkey = chip->ram.tempkey.value;
    uint8_t message[MAC_MESSAGE_SIZE] = {0};
    uint8_t serial[9];

    zones_serial(chip, serial);
    memcpy(message,
           (mode & MAC_FIRST_TEMPKEY) != 0 ? tempkey
                                           : zones_slot_const(chip, command->param2 & 0x0Fu),
           32);
    memcpy(message + 32, (mode & MAC_SECOND_TEMPKEY) != 0 ? tempkey : command->data, 32);
    memcpy(message + 64, other, 4);
    if ((mode & MAC_OTP_64) != 0) {
        memcpy(message + 68, chip->nvm.otp, 8);
    }
    memcpy(message + 76, other + 4, 3);
    message[79] = serial[8];
    memcpy(message + 80, other + 7, 4);
    memcpy(message + 84, serial, 2);
    memcpy(message + 86, other + 11, 2);
    crypto_sha256(message, sizeof(message), digest);
    memset(message, 0, sizeof(message));
}

/* After a success: the key counts as shown, and slot N+1 may be copied to TempKey. */
static void check_mac_success(struct atecc608_sim_chip *chip, const struct command *command)
{
    unsigned int slot = command->param2 & 0x0Fu;
    bool copies = command->param1 == 0x01 || command->param1 == 0x05;
    struct slot_rules next;

    if ((command->param1 & MAC_FIRST_TEMPKEY) == 0) {
        chip->ram.authorized = true;
        chip->ram.authorizing_key = (uint8_t)slot;
    }
    if (!copies || slot % 2 != 0) {
        return;
    }
    next = permissions_of(chip, slot + 1);
    if (next.read_key == 0 && !next.is_private) {
        tempkey_set(chip, zones_slot_const(chip, slot + 1), 32, true);
    }
}

uint8_t cmd_check_mac(struct atecc608_sim_chip *chip, const struct command *command,
                      uint8_t *output, size_t *output_length)
{
    uint8_t mode = command->param1;
    bool uses_tempkey = (mode & (MAC_FIRST_TEMPKEY | MAC_SECOND_TEMPKEY)) != 0;
    uint8_t digest[32];
    uint8_t status = STATUS_OK;

    (void)output;
    (void)output_length;
    if ((mode & 0xD8) != 0 || command->param2 >= SLOT_COUNT ||
        command->length != CHALLENGE_SIZE + MAC_RESPONSE_SIZE + CHECK_OTHER_SIZE) {
        return STATUS_PARSE;
    }
    if (uses_tempkey && !tempkey_fits(chip, mode)) {
        tempkey_clear(chip);
        return STATUS_EXECUTION;
    }
    if ((mode & MAC_FIRST_TEMPKEY) == 0) {
        status = symmetric_key(chip, command->param2) == NULL
                     ? STATUS_EXECUTION
                     : permissions_use_key(chip, command->param2);
    }
    if (status != STATUS_OK) {
        return status;
    }
    check_mac_digest(chip, command, digest);
    chip->ram.sha.active = false;
    tempkey_clear(chip);
    if (memcmp(digest, command->data + CHALLENGE_SIZE, MAC_RESPONSE_SIZE) != 0) {
        chip->ram.authorized = false;
        return STATUS_MISCOMPARE;
    }
    check_mac_success(chip, command);
    return STATUS_OK;
}

/* --- DeriveKey --- */

enum { DERIVE_ENABLE = 2, DERIVE_FROM_PARENT = 1, DERIVE_NEEDS_MAC = 8 };

/* The authorising MAC: SHA-256 of the parent key, the command and three bytes of the serial number.
 */
static bool derive_authorized(const struct atecc608_sim_chip *chip, const struct command *command,
                              const uint8_t parent[32])
{
    uint8_t message[39];
    uint8_t serial[9];
    uint8_t digest[32];

    zones_serial(chip, serial);
    memcpy(message, parent, 32);
    message[32] = command->opcode;
    message[33] = command->param1;
    message[34] = (uint8_t)command->param2;
    message[35] = (uint8_t)(command->param2 >> 8);
    message[36] = serial[8];
    memcpy(message + 37, serial, 2);
    crypto_sha256(message, sizeof(message), digest);
    return memcmp(digest, command->data, 32) == 0;
}

uint8_t cmd_derive_key(struct atecc608_sim_chip *chip, const struct command *command,
                       uint8_t *output, size_t *output_length)
{
    unsigned int target = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, target);
    unsigned int parent = (rules.write_config & DERIVE_FROM_PARENT) != 0 ? rules.write_key : target;
    bool needs_mac = (rules.write_config & DERIVE_NEEDS_MAC) != 0;
    const uint8_t header[4] = {command->opcode, command->param1, (uint8_t)command->param2,
                               (uint8_t)(command->param2 >> 8)};
    const uint8_t *key = symmetric_key(chip, parent);
    uint8_t digest[32];
    uint8_t status;

    (void)output;
    (void)output_length;
    if ((command->param1 & ~MAC_SOURCE_INPUT) != 0 || command->param2 >= SLOT_COUNT ||
        (command->length != 0 && command->length != 32)) {
        return STATUS_PARSE;
    }
    if (key == NULL || rules.is_private || (rules.write_config & DERIVE_ENABLE) == 0 ||
        zones_slot_locked(chip, target) || !tempkey_fits(chip, command->param1) ||
        needs_mac != (command->length == 32)) {
        return STATUS_EXECUTION;
    }
    status = permissions_use_key(chip, parent);
    if (status != STATUS_OK) {
        return status;
    }
    if (needs_mac && !derive_authorized(chip, command, key)) {
        return STATUS_MISCOMPARE;
    }
    mac_digest(chip, key, header, 25, chip->ram.tempkey.value, 32, digest);
    memcpy(zones_slot(chip, target), digest, 32);
    memset(digest, 0, sizeof(digest));
    chip->ram.sha.active = false;
    tempkey_clear(chip);
    return STATUS_OK;
}
