/* SPDX-License-Identifier: Apache-2.0 */
/* GenKey and ECDH. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

/* Where keys lie in a slot: four bytes of padding before each 32-byte number. */
enum { PAD = 4, SLOT_PUBLIC_SIZE = 72 };

static void load_public(const uint8_t *slot, uint8_t public_key[64])
{
    memcpy(public_key, slot + PAD, 32);
    memcpy(public_key + 32, slot + PAD + 32 + PAD, 32);
}

/* --- GenKey --- */

enum { GENKEY_CREATE = 0x04, GENKEY_DIGEST = 0x08, GENKEY_STORED_PUBLIC = 0x10 };

/* The digest of a public key that Sign(Internal) and Verify(Validate) work on. TempKey must hold a
 * nonce; header is the bytes after the opcode: mode and KeyID, or the host's three bytes. */
static uint8_t digest_public(struct atecc608_sim_chip *chip, const uint8_t header[3],
                             unsigned int slot, const uint8_t public_key[64])
{
    struct tempkey *tempkey = &chip->ram.tempkey;
    uint8_t message[128] = {0};
    uint8_t serial[9];
    uint8_t digest[32];

    if (!tempkey->valid || tempkey->holds_private) {
        return STATUS_EXECUTION;
    }
    zones_serial(chip, serial);
    memcpy(message, tempkey->value, 32);
    message[32] = OP_GENKEY;
    memcpy(message + 33, header, 3);
    message[36] = serial[8];
    memcpy(message + 37, serial, 2);
    memcpy(message + sizeof(message) - 64, public_key, 64);
    crypto_sha256(message, sizeof(message), digest);
    chip->ram.sha.active = false;
    tempkey_replace(chip, digest);
    tempkey->gen_dig = false;
    tempkey->gen_key = true;
    tempkey->key_id = (uint8_t)slot;
    return STATUS_OK;
}

/* An ephemeral private key in TempKey. */
static uint8_t create_in_tempkey(struct atecc608_sim_chip *chip, uint8_t public_key[64])
{
    uint8_t private_key[32];

    if (!zones_config_locked(chip)) {
        return STATUS_EXECUTION;
    }
    if (!crypto_p256_generate(private_key, public_key)) {
        return STATUS_HEALTH;
    }
    tempkey_set(chip, private_key, 32, false);
    chip->ram.tempkey.holds_private = true;
    memset(private_key, 0, sizeof(private_key));
    return STATUS_OK;
}

/* Conditions of KeyConfig before a private slot may get a new key. */
static bool create_allowed(const struct atecc608_sim_chip *chip, unsigned int slot,
                           const struct slot_rules *rules)
{
    const struct volatile_state *ram = &chip->ram;

    if (zones_slot_locked(chip, slot)) {
        return false;
    }
    if (!zones_data_locked(chip)) {
        return true;
    }
    if ((rules->write_config & WRITE_GENKEY) == 0) {
        return false;
    }
    if (rules->needs_authorization &&
        !(ram->authorized && ram->authorizing_key == rules->authorizing_key)) {
        return false;
    }
    return !rules->needs_random || (ram->tempkey.valid && !ram->tempkey.is_input);
}

static uint8_t create_in_slot(struct atecc608_sim_chip *chip, unsigned int slot,
                              const struct slot_rules *rules, uint8_t public_key[64])
{
    uint8_t *data = zones_slot(chip, slot);

    if (!create_allowed(chip, slot, rules)) {
        return STATUS_EXECUTION;
    }
    memset(data, 0, zones_slot_size(slot));
    return crypto_p256_generate(data + PAD, public_key) ? STATUS_OK : STATUS_HEALTH;
}

/* The public key of the slot: computed from the private key, or stored when the mode asks for that.
 */
static uint8_t slot_public(const struct atecc608_sim_chip *chip, unsigned int slot,
                           const struct slot_rules *rules, bool stored, uint8_t public_key[64])
{
    const uint8_t *data = zones_slot_const(chip, slot);

    if (stored) {
        if (!permissions_is_public(rules) || zones_slot_size(slot) < SLOT_PUBLIC_SIZE ||
            !zones_data_locked(chip)) {
            return STATUS_EXECUTION;
        }
        load_public(data, public_key);
        return STATUS_OK;
    }
    if (!permissions_is_private(rules) || !rules->pub_info) {
        return STATUS_EXECUTION;
    }
    return crypto_p256_public(data + PAD, public_key) ? STATUS_OK : STATUS_ECC_FAULT;
}

/* Whether mode, KeyID and length of data are a form that GenKey has. */
static bool genkey_well_formed(const struct command *command)
{
    bool stored = command->param1 == GENKEY_STORED_PUBLIC;
    bool to_tempkey = command->param2 == TEMPKEY_ID;

    if (!stored && (command->param1 & ~(GENKEY_CREATE | GENKEY_DIGEST)) != 0) {
        return false;
    }
    if (command->length != (stored ? 3u : 0u)) {
        return false;
    }
    return to_tempkey ? command->param1 == GENKEY_CREATE : command->param2 < SLOT_COUNT;
}

uint8_t cmd_genkey(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                   size_t *output_length)
{
    unsigned int slot = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, slot);
    bool stored = command->param1 == GENKEY_STORED_PUBLIC;
    uint8_t header[3] = {command->param1, (uint8_t)command->param2,
                         (uint8_t)(command->param2 >> 8)};
    uint8_t public_key[64];
    uint8_t status;

    if (!genkey_well_formed(command)) {
        return STATUS_PARSE;
    }
    if (command->param2 == TEMPKEY_ID) {
        status = create_in_tempkey(chip, public_key);
    } else if (!zones_config_locked(chip)) {
        status = STATUS_EXECUTION;
    } else if ((command->param1 & GENKEY_CREATE) != 0) {
        status = permissions_is_private(&rules) ? create_in_slot(chip, slot, &rules, public_key)
                                                : STATUS_EXECUTION;
    } else {
        status = slot_public(chip, slot, &rules, stored, public_key);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (stored) {
        memcpy(header, command->data, sizeof(header));
    }
    if (stored || (command->param1 & GENKEY_DIGEST) != 0) {
        status = digest_public(chip, header, slot, public_key);
    }
    if (status == STATUS_OK && !stored) {
        memcpy(output, public_key, 64);
        *output_length = 64;
    }
    return status;
}

/* --- ECDH --- */

enum {
    ECDH_FROM_TEMPKEY = 0x01,
    ECDH_ENCRYPT = 0x02,
    ECDH_DESTINATION = 0x0C,
    ECDH_BY_SLOT_CONFIG = 0x00,
    ECDH_TO_SLOT = 0x04,
    ECDH_TO_TEMPKEY = 0x08,
    ECDH_TO_OUTPUT = 0x0C,
};

/* Conditions of ChipOptions.ECDHProt for a result that leaves the chip. */
static bool output_allowed(const struct atecc608_sim_chip *chip, bool encrypted)
{
    unsigned int protection = chip_options(chip) >> 8 & 3u;

    return protection == 0 || (protection == 1 && encrypted);
}

/* The private key, and where its SlotConfig lets the result go. */
static uint8_t ecdh_source(struct atecc608_sim_chip *chip, const struct command *command,
                           uint8_t private_key[32], uint8_t *destination)
{
    unsigned int slot = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, slot);
    bool to_next;

    *destination = command->param1 & ECDH_DESTINATION;
    if ((command->param1 & ECDH_FROM_TEMPKEY) != 0) {
        if (!chip->ram.tempkey.valid || !chip->ram.tempkey.holds_private) {
            return STATUS_EXECUTION;
        }
        memcpy(private_key, chip->ram.tempkey.value, 32);
        if (*destination == ECDH_BY_SLOT_CONFIG) {
            *destination = ECDH_TO_OUTPUT;
        }
        return STATUS_OK;
    }
    if (!permissions_is_private(&rules) || (rules.read_key & PRIVATE_ECDH) == 0) {
        return STATUS_EXECUTION;
    }
    to_next = (rules.read_key & PRIVATE_ECDH_TO_NEXT_SLOT) != 0;
    if (*destination == ECDH_BY_SLOT_CONFIG) {
        *destination = to_next ? ECDH_TO_SLOT : ECDH_TO_OUTPUT;
    }
    if (*destination != ECDH_TO_TEMPKEY && (*destination == ECDH_TO_SLOT) != to_next) {
        return STATUS_EXECUTION;
    }
    memcpy(private_key, zones_slot_const(chip, slot) + PAD, 32);
    return permissions_use_key(chip, slot);
}

/* Put the secret into slot N|1. */
static uint8_t store_secret(struct atecc608_sim_chip *chip, uint16_t key_id,
                            const uint8_t secret[32])
{
    unsigned int slot = key_id | 1u;
    struct slot_rules rules = permissions_of(chip, slot);

    if (slot == key_id || rules.is_private || zones_slot_locked(chip, slot)) {
        return STATUS_EXECUTION;
    }
    memcpy(zones_slot(chip, slot), secret, 32);
    return STATUS_OK;
}

static uint8_t deliver_secret(struct atecc608_sim_chip *chip, const struct command *command,
                              uint8_t destination, uint8_t secret[32], uint8_t *output,
                              size_t *output_length)
{
    bool encrypt = (command->param1 & ECDH_ENCRYPT) != 0;
    uint8_t status;

    if (destination == ECDH_TO_SLOT) {
        return store_secret(chip, command->param2, secret);
    }
    if (destination == ECDH_TO_TEMPKEY) {
        tempkey_set(chip, secret, 32, false);
        return STATUS_OK;
    }
    if (!output_allowed(chip, encrypt)) {
        return STATUS_EXECUTION;
    }
    memcpy(output, secret, 32);
    *output_length = 32;
    if (encrypt) {
        status = io_protect(chip, output, 32, output + 32);
        *output_length = status == STATUS_OK ? 64 : 0;
        return status;
    }
    return STATUS_OK;
}

uint8_t cmd_ecdh(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                 size_t *output_length)
{
    bool from_tempkey = (command->param1 & ECDH_FROM_TEMPKEY) != 0;
    uint8_t mode = command->param1 & ECDH_DESTINATION;
    bool encrypt = (command->param1 & ECDH_ENCRYPT) != 0;
    uint8_t private_key[32] = {0};
    uint8_t secret[32] = {0};
    uint8_t destination;
    uint8_t status;

    if (command->length != 64 || (command->param1 & 0xF0) != 0 || command->param2 >= SLOT_COUNT ||
        (encrypt && mode != ECDH_TO_OUTPUT) || (from_tempkey && mode == ECDH_TO_SLOT)) {
        return STATUS_PARSE;
    }
    if (!zones_config_locked(chip)) {
        return STATUS_EXECUTION;
    }
    status = ecdh_source(chip, command, private_key, &destination);
    if (status == STATUS_OK && !crypto_p256_ecdh(private_key, command->data, secret)) {
        status =
            STATUS_ECC_FAULT; /* no valid key in the slot, or the peer's point is off the curve */
    }
    if (status == STATUS_OK) {
        status = deliver_secret(chip, command, destination, secret, output, output_length);
    }
    memset(private_key, 0, sizeof(private_key));
    memset(secret, 0, sizeof(secret));
    return status;
}
