/* SPDX-License-Identifier: Apache-2.0 */
/* Sign and Verify. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum { PAD = 4, SLOT_PUBLIC_SIZE = 72, PUBLIC_VALID = 0x50, PUBLIC_INVALID = 0xA0 };

/* --- Sign --- */

enum {
    SIGN_INVALIDATE = 0x01,
    SIGN_FROM_DIGEST_BUFFER = 0x20,
    SIGN_SERIAL = 0x40,
    SIGN_EXTERNAL = 0x80,
    INTERNAL_MESSAGE_SIZE = 55,
};

/* The message of Sign(Internal): TempKey, the command, and the configuration of the key behind
 * TempKey. */
static void internal_message(const struct atecc608_sim_chip *chip, const struct command *command,
                             uint8_t message[INTERNAL_MESSAGE_SIZE])
{
    const struct tempkey *tempkey = &chip->ram.tempkey;
    unsigned int slot = tempkey->key_id;
    struct slot_rules rules = permissions_of(chip, slot);
    uint8_t serial[9];

    zones_serial(chip, serial);
    memset(message, 0, INTERNAL_MESSAGE_SIZE);
    memcpy(message, tempkey->value, 32);
    message[32] = command->opcode;
    message[33] = command->param1;
    message[34] = (uint8_t)command->param2;
    message[35] = (uint8_t)(command->param2 >> 8);
    memcpy(message + 36, chip->nvm.config + CONFIG_SLOT_CONFIG + 2 * slot, 2);
    memcpy(message + 38, chip->nvm.config + CONFIG_KEY_CONFIG + 2 * slot, 2);
    message[40] = tempkey_flags(tempkey);
    message[43] = serial[8];
    memcpy(message + 48, serial, 2);
    if ((command->param1 & SIGN_SERIAL) != 0) {
        memcpy(message + 44, serial + 4, 4);
        memcpy(message + 50, serial + 2, 2);
    }
    message[52] = zones_slot_locked(chip, slot) ? 0 : 1;
    message[53] = permissions_is_public(&rules) && rules.pub_info &&
                          (zones_slot_const(chip, slot)[0] & 0xF0) == PUBLIC_VALID
                      ? 1
                      : 0;
}

/* The input of a signature: the host's digest, or that of the internal message. */
static uint8_t sign_digest(struct atecc608_sim_chip *chip, const struct command *command,
                           uint8_t digest[32])
{
    const struct tempkey *tempkey = &chip->ram.tempkey;
    uint8_t message[INTERNAL_MESSAGE_SIZE];
    const uint8_t *source;

    if ((command->param1 & SIGN_EXTERNAL) == 0) {
        if (!tempkey->valid || (!tempkey->gen_dig && !tempkey->gen_key)) {
            return STATUS_EXECUTION;
        }
        internal_message(chip, command, message);
        crypto_sha256(message, sizeof(message), digest);
        chip->ram.sha.active = false;
        return STATUS_OK;
    }
    source = message_source(chip, (command->param1 & SIGN_FROM_DIGEST_BUFFER) != 0);
    if (source == NULL || (source == tempkey->value && (tempkey->gen_dig || tempkey->gen_key))) {
        return STATUS_EXECUTION; /* a message of the chip itself must not pass for a host's digest
                                  */
    }
    memcpy(digest, source, 32);
    return STATUS_OK;
}

uint8_t cmd_sign(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                 size_t *output_length)
{
    bool external = (command->param1 & SIGN_EXTERNAL) != 0;
    uint8_t needed = external ? PRIVATE_SIGN_EXTERNAL : PRIVATE_SIGN_INTERNAL;
    unsigned int slot = command->param2;
    struct slot_rules rules;
    uint8_t digest[32];
    uint8_t status;

    if (command->length != 0 || slot >= SLOT_COUNT || (command->param1 & 0x1E) != 0 ||
        (external && (command->param1 & SIGN_INVALIDATE) != 0) ||
        (!external && (command->param1 & SIGN_FROM_DIGEST_BUFFER) != 0)) {
        return STATUS_PARSE;
    }
    rules = permissions_of(chip, slot);
    if (!permissions_is_private(&rules) || (rules.read_key & needed) == 0) {
        return STATUS_EXECUTION;
    }
    status = sign_digest(chip, command, digest);
    if (status == STATUS_OK) {
        status = permissions_use_key(chip, slot);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (!crypto_p256_sign(zones_slot_const(chip, slot) + PAD, digest, output)) {
        return STATUS_ECC_FAULT; /* no valid private key in the slot */
    }
    if ((command->param1 & SIGN_FROM_DIGEST_BUFFER) == 0) {
        tempkey_clear(chip);
    }
    *output_length = SIGNATURE_SIZE;
    return STATUS_OK;
}

/* --- Verify --- */

enum {
    VERIFY_STORED = 0,
    VERIFY_VALIDATE_EXTERNAL = 1,
    VERIFY_EXTERNAL = 2,
    VERIFY_VALIDATE = 3,
    VERIFY_INVALIDATE = 7,
    VERIFY_FROM_DIGEST_BUFFER = 0x20,
    VERIFY_MAC = 0x80,
    OTHER_DATA_SIZE = 19,
};

static size_t verify_length(uint8_t mode)
{
    switch (mode) {
    case VERIFY_STORED:
        return SIGNATURE_SIZE;
    case VERIFY_EXTERNAL:
        return SIGNATURE_SIZE + PUBLIC_KEY_SIZE;
    case VERIFY_VALIDATE:
    case VERIFY_INVALIDATE:
        return SIGNATURE_SIZE + OTHER_DATA_SIZE;
    default:
        return 0; /* ValidateExternal (X.509 parsing) is absent */
    }
}

/* A public key in a slot, validated when KeyConfig.PubInfo asks for it. */
static uint8_t stored_public(const struct atecc608_sim_chip *chip, unsigned int slot,
                             bool must_be_valid, uint8_t public_key[64])
{
    struct slot_rules rules = permissions_of(chip, slot);
    const uint8_t *data = zones_slot_const(chip, slot);

    if (!permissions_is_public(&rules) || zones_slot_size(slot) < SLOT_PUBLIC_SIZE) {
        return STATUS_EXECUTION;
    }
    if (must_be_valid && rules.pub_info && (data[0] & 0xF0) != PUBLIC_VALID) {
        return STATUS_EXECUTION;
    }
    memcpy(public_key, data + PAD, 32);
    memcpy(public_key + 32, data + PAD + 32 + PAD, 32);
    return STATUS_OK;
}

/* The digest of Verify(Validate) and Verify(Invalidate): the message of the signer's
 * Sign(Internal), built again from TempKey and the host's 19 bytes. */
static void validation_digest(struct atecc608_sim_chip *chip, const uint8_t *other_data,
                              uint8_t digest[32])
{
    uint8_t message[32 + 1 + 10 + 1 + 4 + 2 + 5];
    uint8_t serial[9];

    zones_serial(chip, serial);
    memcpy(message, chip->ram.tempkey.value, 32);
    message[32] = OP_SIGN;
    memcpy(message + 33, other_data, 10);
    message[43] = serial[8];
    memcpy(message + 44, other_data + 10, 4);
    memcpy(message + 48, serial, 2);
    memcpy(message + 50, other_data + 14, 5);
    crypto_sha256(message, sizeof(message), digest);
    chip->ram.sha.active = false;
}

/* Verify in Validate or Invalidate mode: the parent key signs the digest of the slot's public key.
 */
static uint8_t validate_public(struct atecc608_sim_chip *chip, const struct command *command,
                               bool invalidate)
{
    unsigned int slot = command->param2 & 0x0Fu;
    struct slot_rules rules = permissions_of(chip, slot);
    const struct tempkey *tempkey = &chip->ram.tempkey;
    const uint8_t *other_data = command->data + SIGNATURE_SIZE;
    uint8_t parent[64];
    uint8_t digest[32];
    uint8_t status;

    if (!permissions_is_public(&rules) || !rules.pub_info ||
        zones_slot_size(slot) < SLOT_PUBLIC_SIZE || !tempkey->valid || !tempkey->gen_key ||
        tempkey->key_id != slot) {
        return STATUS_EXECUTION;
    }
    if ((rules.write_config & 1u) == 0 || zones_slot_locked(chip, slot)) {
        return STATUS_EXECUTION;
    }
    /* bit 0 of the signer's mode says what the signature was made for */
    if (((other_data[0] & SIGN_INVALIDATE) != 0) != invalidate) {
        return STATUS_EXECUTION;
    }
    status = stored_public(chip, rules.read_key, true, parent);
    if (status == STATUS_OK) {
        status = permissions_use_key(chip, rules.read_key);
    }
    if (status != STATUS_OK) {
        return status;
    }
    validation_digest(chip, other_data, digest);
    tempkey_clear(chip);
    if (!crypto_p256_verify(parent, digest, command->data)) {
        return STATUS_MISCOMPARE;
    }
    zones_slot(chip, slot)[0] = (uint8_t)((zones_slot(chip, slot)[0] & 0x0F) |
                                          (invalidate ? PUBLIC_INVALID : PUBLIC_VALID));
    return STATUS_OK;
}

/* The answer of a Verify that asked for a MAC: proof, under the IO protection key, that it
 * succeeded. */
static uint8_t verify_mac(const struct atecc608_sim_chip *chip, const struct command *command,
                          const uint8_t message[32], uint8_t mac[32])
{
    const uint8_t *key = io_protection_key(chip);
    bool second_half = (command->param1 & VERIFY_FROM_DIGEST_BUFFER) != 0;
    uint8_t input[32 + 32 + 32 + 64 + 4];

    if (key == NULL || chip->ram.digest_buffer_length < (second_half ? 64 : 32)) {
        return STATUS_EXECUTION;
    }
    memcpy(input, key, 32);
    memcpy(input + 32, message, 32);
    memcpy(input + 64, chip->ram.digest_buffer + (second_half ? 32 : 0), 32);
    memcpy(input + 96, command->data, 64);
    input[160] = command->opcode;
    input[161] = command->param1;
    input[162] = (uint8_t)command->param2;
    input[163] = (uint8_t)(command->param2 >> 8);
    crypto_sha256(input, sizeof(input), mac);
    memset(input, 0, sizeof(input));
    return STATUS_OK;
}

/* Stored and External. */
static uint8_t verify_message(struct atecc608_sim_chip *chip, const struct command *command,
                              uint8_t *output, size_t *output_length)
{
    bool external = (command->param1 & 0x07) == VERIFY_EXTERNAL;
    const uint8_t *message =
        message_source(chip, (command->param1 & VERIFY_FROM_DIGEST_BUFFER) != 0);
    uint8_t public_key[64];
    uint8_t digest[32];
    uint8_t status = STATUS_OK;

    if (external) {
        memcpy(public_key, command->data + SIGNATURE_SIZE, PUBLIC_KEY_SIZE);
    } else {
        status = stored_public(chip, command->param2, true, public_key);
    }
    if (status == STATUS_OK && !external) {
        status = permissions_use_key(chip, command->param2);
    }
    if (status == STATUS_OK && (message == NULL || !zones_config_locked(chip))) {
        status = STATUS_EXECUTION;
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (!crypto_p256_on_curve(public_key)) {
        return STATUS_ECC_FAULT;
    }
    memcpy(digest, message, 32);
    if ((command->param1 & VERIFY_FROM_DIGEST_BUFFER) == 0) {
        tempkey_clear(chip);
    }
    if (!crypto_p256_verify(public_key, digest, command->data)) {
        return STATUS_MISCOMPARE;
    }
    if ((command->param1 & VERIFY_MAC) != 0) {
        status = verify_mac(chip, command, digest, output);
        *output_length = status == STATUS_OK ? 32 : 0;
    }
    return status;
}

uint8_t cmd_verify(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                   size_t *output_length)
{
    uint8_t mode = command->param1 & 0x07;
    size_t length = verify_length(mode);

    if (length == 0 || command->length != length || (command->param1 & 0x58) != 0) {
        return STATUS_PARSE;
    }
    if (mode == VERIFY_EXTERNAL ? command->param2 != KEY_TYPE_P256
                                : command->param2 >= SLOT_COUNT) {
        return STATUS_PARSE;
    }
    if (mode == VERIFY_VALIDATE || mode == VERIFY_INVALIDATE) {
        return command->param1 == mode ? validate_public(chip, command, mode == VERIFY_INVALIDATE)
                                       : STATUS_PARSE;
    }
    return verify_message(chip, command, output, output_length);
}
