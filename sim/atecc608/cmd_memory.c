/* SPDX-License-Identifier: Apache-2.0 */
/* Read, Write, PrivWrite, Lock. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum { ZONE_MASK = 0x03, ZONE_ENCRYPTED = 0x40, ZONE_32_BYTES = 0x80 };

/* A place in memory as Read and Write address it. */
struct place {
    uint8_t zone;
    bool is_block; /* 32 bytes, otherwise 4 */
    unsigned int slot;
    size_t offset;    /* in the zone, or in the slot for the data zone */
    size_t available; /* bytes from offset to the end of zone or slot */
};

/* Decode zone and address. false: no such place. */
static bool find_place(uint8_t param1, uint16_t address, struct place *place)
{
    unsigned int word = address & 7u;
    unsigned int block;
    size_t size;

    place->zone = param1 & ZONE_MASK;
    place->is_block = (param1 & ZONE_32_BYTES) != 0;
    place->slot = 0;
    if (place->zone == ZONE_DATA) {
        place->slot = address >> 3 & 0x0Fu;
        block = address >> 8;
        size = zones_slot_size(place->slot);
        if ((address & 0x80u) != 0) {
            return false;
        }
    } else if (place->zone == ZONE_CONFIG || place->zone == ZONE_OTP) {
        block = address >> 3;
        size = place->zone == ZONE_CONFIG ? CONFIG_SIZE : OTP_SIZE;
    } else {
        return false;
    }
    if (place->is_block && word != 0) {
        return false;
    }
    place->offset = (size_t)block * BLOCK_SIZE + (size_t)word * WORD_SIZE;
    place->available = place->offset < size ? size - place->offset : 0;
    return place->available > 0;
}

/* --- Read --- */

/* Encrypted read: TempKey must come from GenDig with the slot's ReadKey over a random nonce. */
static uint8_t encrypt_read(struct atecc608_sim_chip *chip, const struct slot_rules *rules,
                            uint8_t *output, size_t length)
{
    const struct tempkey *tempkey = &chip->ram.tempkey;

    if (length != BLOCK_SIZE || !tempkey->valid || !tempkey->gen_dig || tempkey->is_input ||
        tempkey->key_id != rules->read_key) {
        return STATUS_EXECUTION;
    }
    for (size_t i = 0; i < length; i++) {
        output[i] ^= tempkey->value[i];
    }
    tempkey_clear(chip);
    return STATUS_OK;
}

static uint8_t read_data(struct atecc608_sim_chip *chip, const struct place *place, uint8_t *output,
                         size_t length)
{
    struct slot_rules rules = permissions_of(chip, place->slot);

    if (!zones_data_locked(chip) || rules.is_private) {
        return STATUS_EXECUTION;
    }
    if (rules.is_secret != rules.encrypt_read) {
        return STATUS_EXECUTION; /* secret and never read, or a combination that the chip forbids */
    }
    memset(output, 0, length); /* the last block of a slot is short: the rest reads as zeros */
    memcpy(output, zones_slot_const(chip, place->slot) + place->offset,
           length < place->available ? length : place->available);
    return rules.encrypt_read ? encrypt_read(chip, &rules, output, length) : STATUS_OK;
}

uint8_t cmd_read(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                 size_t *output_length)
{
    struct place place;
    size_t length = (command->param1 & ZONE_32_BYTES) != 0 ? BLOCK_SIZE : WORD_SIZE;
    uint8_t status = STATUS_OK;

    if (command->length != 0 || (command->param1 & ~(ZONE_32_BYTES | ZONE_MASK)) != 0 ||
        !find_place(command->param1, command->param2, &place)) {
        return STATUS_PARSE;
    }
    if (place.zone == ZONE_CONFIG) {
        memcpy(output, chip->nvm.config + place.offset, length);
    } else if (place.zone == ZONE_DATA) {
        status = read_data(chip, &place, output, length);
    } else if (zones_data_locked(chip)) {
        memcpy(output, chip->nvm.otp + place.offset, length);
    } else {
        status = STATUS_EXECUTION;
    }
    *output_length = status == STATUS_OK ? length : 0;
    return status;
}

/* --- Write --- */

/* Bytes 0 to 15 are Microchip's, 84 to 87 belong to UpdateExtra and Lock. */
static uint8_t write_config(struct atecc608_sim_chip *chip, const struct place *place,
                            const uint8_t *data, size_t length)
{
    bool touches_locks =
        place->offset < CONFIG_SLOT_LOCKED && place->offset + length > CONFIG_USER_EXTRA;

    if (zones_config_locked(chip) || place->offset < CONFIG_I2C_ADDRESS || touches_locks) {
        return STATUS_EXECUTION;
    }
    memcpy(chip->nvm.config + place->offset, data, length);
    return STATUS_OK;
}

static uint8_t write_otp(struct atecc608_sim_chip *chip, const struct place *place,
                         const uint8_t *data, size_t length)
{
    if (!zones_config_locked(chip) || zones_data_locked(chip) || length != BLOCK_SIZE) {
        return STATUS_EXECUTION;
    }
    memcpy(chip->nvm.otp + place->offset, data, length);
    return STATUS_OK;
}

/* Whether the slot's WriteConfig lets Write change it now, and whether the data must be encrypted.
 */
static bool write_allowed(const struct atecc608_sim_chip *chip, const struct place *place,
                          const struct slot_rules *rules, bool *encrypted)
{
    bool public_is_valid = permissions_is_public(rules) && rules->pub_info &&
                           zones_slot_const(chip, place->slot)[0] >> 4 == 0x5;

    if (!zones_config_locked(chip) || permissions_is_private(rules) ||
        zones_slot_locked(chip, place->slot)) {
        return false;
    }
    if (!zones_data_locked(chip)) {
        return place->is_block; /* words only once the zone is locked */
    }
    *encrypted = (rules->write_config & WRITE_ENCRYPTED) != 0;
    if (*encrypted) {
        return place->is_block;
    }
    if (rules->write_config == 1) {
        return place->is_block && !public_is_valid; /* PubInvalid */
    }
    return rules->write_config == 0 && (place->is_block || !rules->is_secret);
}

/* Decrypt data in place and check its MAC against TempKey, which must come from GenDig with the
 * write key. Before the data zone is locked any key will do. */
static uint8_t decrypt_write(struct atecc608_sim_chip *chip, const struct command *command,
                             const struct slot_rules *rules, uint8_t data[BLOCK_SIZE])
{
    const struct tempkey *tempkey = &chip->ram.tempkey;
    const uint8_t header[4] = {command->opcode, command->param1, (uint8_t)command->param2,
                               (uint8_t)(command->param2 >> 8)};
    bool right_key = !zones_data_locked(chip) || tempkey->key_id == rules->write_key;
    uint8_t mac[32];

    if (!tempkey->valid || !tempkey->gen_dig || tempkey->no_mac || !right_key) {
        return STATUS_EXECUTION;
    }
    for (size_t i = 0; i < BLOCK_SIZE; i++) {
        data[i] ^= tempkey->value[i];
    }
    mac_digest(chip, tempkey->value, header, 25, data, BLOCK_SIZE, mac);
    tempkey_clear(chip);
    return memcmp(mac, command->data + BLOCK_SIZE, sizeof(mac)) == 0 ? STATUS_OK : STATUS_EXECUTION;
}

static uint8_t write_data(struct atecc608_sim_chip *chip, const struct command *command,
                          const struct place *place, size_t length)
{
    struct slot_rules rules = permissions_of(chip, place->slot);
    bool encrypted = (command->param1 & ZONE_ENCRYPTED) != 0;
    bool has_mac = command->length > length;
    uint8_t data[BLOCK_SIZE];
    uint8_t *slot = zones_slot(chip, place->slot);
    uint8_t status;

    if (!write_allowed(chip, place, &rules, &encrypted) || encrypted != has_mac) {
        return STATUS_EXECUTION;
    }
    memcpy(data, command->data, length);
    if (encrypted) {
        status = decrypt_write(chip, command, &rules, data);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (length > place->available) {
        length = place->available; /* the last block of a slot is short: the rest is dropped */
    }
    memcpy(slot + place->offset, data, length);
    memset(data, 0, sizeof(data));
    if (permissions_is_public(&rules) && rules.pub_info) {
        slot[0] = (uint8_t)((slot[0] & 0x0Fu) | 0xA0u); /* a new public key awaits validation */
    }
    return STATUS_OK;
}

uint8_t cmd_write(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                  size_t *output_length)
{
    struct place place;
    size_t length = (command->param1 & ZONE_32_BYTES) != 0 ? BLOCK_SIZE : WORD_SIZE;
    bool has_mac = command->length == length + 32;

    (void)output;
    (void)output_length;
    if ((command->param1 & ~(ZONE_32_BYTES | ZONE_ENCRYPTED | ZONE_MASK)) != 0 ||
        (command->length != length && !has_mac) ||
        !find_place(command->param1, command->param2, &place)) {
        return STATUS_PARSE;
    }
    if (place.zone == ZONE_DATA) {
        return write_data(chip, command, &place, length);
    }
    if (has_mac || (command->param1 & ZONE_ENCRYPTED) != 0) {
        return STATUS_PARSE;
    }
    return place.zone == ZONE_CONFIG ? write_config(chip, &place, command->data, length)
                                     : write_otp(chip, &place, command->data, length);
}

/* --- PrivWrite --- */

/* Decrypt the 36 bytes and check their MAC. */
static uint8_t decrypt_private(struct atecc608_sim_chip *chip, const struct command *command,
                               const struct slot_rules *rules, uint8_t data[36])
{
    const struct tempkey *tempkey = &chip->ram.tempkey;
    const uint8_t header[4] = {command->opcode, command->param1, (uint8_t)command->param2,
                               (uint8_t)(command->param2 >> 8)};
    bool right_key = !zones_data_locked(chip) || tempkey->key_id == rules->write_key;
    uint8_t second[32];
    uint8_t mac[32];

    if (!tempkey->valid || !tempkey->gen_dig || tempkey->no_mac || !right_key) {
        return STATUS_EXECUTION;
    }
    crypto_sha256(tempkey->value, 32, second); /* covers the last four bytes */
    for (size_t i = 0; i < 32; i++) {
        data[i] ^= tempkey->value[i];
    }
    for (size_t i = 0; i < 4; i++) {
        data[32 + i] ^= second[i];
    }
    mac_digest(chip, tempkey->value, header, 21, data, 36, mac);
    tempkey_clear(chip);
    return memcmp(mac, command->data + 36, sizeof(mac)) == 0 ? STATUS_OK : STATUS_EXECUTION;
}

uint8_t cmd_priv_write(struct atecc608_sim_chip *chip, const struct command *command,
                       uint8_t *output, size_t *output_length)
{
    unsigned int slot = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, slot);
    bool encrypted = command->param1 == ZONE_ENCRYPTED;
    uint8_t data[36];
    uint8_t status = STATUS_OK;

    (void)output;
    (void)output_length;
    if ((command->param1 & ~ZONE_ENCRYPTED) != 0 || command->param2 >= SLOT_COUNT ||
        command->length != 36 + 32) {
        return STATUS_PARSE;
    }
    if (!zones_config_locked(chip) || !permissions_is_private(&rules) ||
        zones_slot_locked(chip, slot)) {
        return STATUS_EXECUTION;
    }
    if (zones_data_locked(chip) && (!encrypted || (rules.write_config & WRITE_ENCRYPTED) == 0)) {
        return STATUS_EXECUTION;
    }
    memcpy(data, command->data, sizeof(data));
    if (encrypted) {
        status = decrypt_private(chip, command, &rules, data);
    }
    if (status == STATUS_OK && !crypto_p256_scalar_valid(data + 4)) {
        status = STATUS_ECC_FAULT;
    }
    if (status == STATUS_OK) {
        memcpy(zones_slot(chip, slot), data, sizeof(data));
    }
    memset(data, 0, sizeof(data));
    return status;
}

/* --- Lock --- */

enum { LOCK_NO_CRC = 0x80, LOCK_SLOT = 2 };

static uint16_t data_and_otp_crc(const struct atecc608_sim_chip *chip)
{
    uint8_t all[DATA_SIZE + OTP_SIZE];

    memcpy(all, chip->nvm.data, DATA_SIZE);
    memcpy(all + DATA_SIZE, chip->nvm.otp, OTP_SIZE);
    return packet_crc(all, sizeof(all));
}

/* A summary CRC is ignored here, as CryptoAuthLib expects. */
static uint8_t lock_slot(struct atecc608_sim_chip *chip, unsigned int slot)
{
    struct slot_rules rules = permissions_of(chip, slot);

    if (!zones_config_locked(chip) || !rules.lockable || zones_slot_locked(chip, slot)) {
        return STATUS_EXECUTION;
    }
    chip->nvm.config[CONFIG_SLOT_LOCKED + slot / 8] &= (uint8_t) ~(1u << slot % 8);
    return STATUS_OK;
}

uint8_t cmd_lock(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                 size_t *output_length)
{
    uint8_t target = command->param1 & 0x03;
    unsigned int slot = command->param1 >> 2 & 0x0Fu;
    bool check = (command->param1 & LOCK_NO_CRC) == 0;

    (void)output;
    (void)output_length;
    if (command->length != 0 || (command->param1 & 0x40) != 0 || target > LOCK_SLOT ||
        (target != LOCK_SLOT && slot != 0)) {
        return STATUS_PARSE;
    }
    if (target == LOCK_SLOT) {
        return lock_slot(chip, slot);
    }
    if (target == ZONE_CONFIG) {
        if (zones_config_locked(chip) ||
            (check && packet_crc(chip->nvm.config, CONFIG_SIZE) != command->param2)) {
            return STATUS_EXECUTION;
        }
        chip->nvm.config[CONFIG_LOCK_CONFIG] = 0x00;
        return STATUS_OK;
    }
    if (!zones_config_locked(chip) || zones_data_locked(chip) ||
        (check && data_and_otp_crc(chip) != command->param2)) {
        return STATUS_EXECUTION;
    }
    chip->nvm.config[CONFIG_LOCK_VALUE] = 0x00;
    return STATUS_OK;
}
