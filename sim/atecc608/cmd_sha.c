/* SPDX-License-Identifier: Apache-2.0 */
/* SHA: digests, HMAC, and the context that can be carried off and back. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum {
    SHA_START,
    SHA_UPDATE,
    SHA_END,
    SHA_PUBLIC,
    SHA_HMAC_START,
    SHA_READ_CONTEXT = 6,
    SHA_WRITE_CONTEXT = 7,
    SHA_TARGET = 0xC0,
    SHA_TO_TEMPKEY = 0x00,
    SHA_TO_DIGEST_BUFFER = 0x40,
    SHA_TO_OUTPUT_ONLY = 0xC0,
    CONTEXT_FIXED_SIZE = 36,
};

static void start(struct sha_state *sha)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memset(sha, 0, sizeof(*sha));
    memcpy(sha->h, initial, sizeof(initial));
    sha->active = true;
}

static void update(struct sha_state *sha, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        sha->block[sha->block_length++] = data[i];
        if (sha->block_length == 64) {
            crypto_sha256_block(sha->h, sha->block);
            sha->block_length = 0;
        }
    }
    sha->total += (uint32_t)length;
}

static void finish(struct sha_state *sha, uint8_t digest[32])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = (uint64_t)sha->total * 8;
    size_t zeros = sha->block_length < 56 ? 56u - sha->block_length : 120u - sha->block_length;
    uint8_t length[8];

    for (unsigned int i = 0; i < 8; i++) {
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    update(sha, padding, zeros);
    update(sha, length, sizeof(length));
    for (unsigned int i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(sha->h[i / 4] >> (24 - 8 * (i % 4)));
    }
}

static void update_key_pad(struct sha_state *sha, const uint8_t key[64], uint8_t pad)
{
    uint8_t block[64];

    for (unsigned int i = 0; i < 64; i++) {
        block[i] = key[i] ^ pad;
    }
    update(sha, block, sizeof(block));
    memset(block, 0, sizeof(block));
}

/* The key of an HMAC: 32 bytes of a slot, or TempKey. */
static uint8_t hmac_start(struct atecc608_sim_chip *chip, uint16_t key_id)
{
    struct sha_state *sha = &chip->ram.sha;
    uint8_t key[64] = {0};
    uint8_t status = STATUS_OK;

    if (key_id == TEMPKEY_ID) {
        const struct tempkey *tempkey = &chip->ram.tempkey;

        if (!tempkey->valid || tempkey->holds_private) {
            return STATUS_EXECUTION;
        }
        memcpy(key, tempkey->value, 32);
    } else {
        struct slot_rules rules;

        if (key_id >= SLOT_COUNT) {
            return STATUS_PARSE;
        }
        rules = permissions_of(chip, key_id);
        status =
            rules.is_private || rules.no_mac ? STATUS_EXECUTION : permissions_use_key(chip, key_id);
        memcpy(key, zones_slot_const(chip, key_id), 32);
    }
    if (status == STATUS_OK) {
        start(sha);
        sha->is_hmac = true;
        memcpy(sha->hmac_key, key, sizeof(key));
        update_key_pad(sha, key, 0x36);
    }
    memset(key, 0, sizeof(key));
    return status;
}

static uint8_t end(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                   size_t *output_length)
{
    struct sha_state *sha = &chip->ram.sha;
    uint8_t target = command->param1 & SHA_TARGET;
    uint8_t inner[32];

    if (command->length > 63 || target == 0x80) {
        return STATUS_PARSE;
    }
    update(sha, command->data, command->length);
    finish(sha, output);
    if (sha->is_hmac) {
        uint8_t key[64];

        memcpy(key, sha->hmac_key, sizeof(key));
        memcpy(inner, output, sizeof(inner));
        start(sha);
        update_key_pad(sha, key, 0x5C);
        update(sha, inner, sizeof(inner));
        finish(sha, output);
        memset(key, 0, sizeof(key));
    }
    memset(sha, 0, sizeof(*sha));
    if (target == SHA_TO_TEMPKEY) {
        tempkey_set(chip, output, 32, true);
    } else if (target == SHA_TO_DIGEST_BUFFER) {
        digest_buffer_set(chip, output, 32);
    }
    *output_length = 32;
    return STATUS_OK;
}

/* Add the public key that a slot holds. */
static uint8_t add_public(struct atecc608_sim_chip *chip, uint16_t slot)
{
    struct slot_rules rules;
    const uint8_t *data;

    if (slot >= SLOT_COUNT) {
        return STATUS_PARSE;
    }
    rules = permissions_of(chip, slot);
    if (!permissions_is_public(&rules) || zones_slot_size(slot) < 72 || !zones_data_locked(chip)) {
        return STATUS_EXECUTION;
    }
    data = zones_slot_const(chip, slot);
    update(&chip->ram.sha, data + 4, 32);
    update(&chip->ram.sha, data + 40, 32);
    return STATUS_OK;
}

/* Length, the eight words (least significant byte first), the bytes not yet hashed. */
static uint8_t read_context(const struct sha_state *sha, uint8_t *output, size_t *output_length)
{
    if (sha->is_hmac) {
        return STATUS_EXECUTION; /* its key must not leave the chip */
    }
    for (unsigned int i = 0; i < 4; i++) {
        output[i] = (uint8_t)(sha->total >> 8 * i);
    }
    for (unsigned int i = 0; i < 32; i++) {
        output[4 + i] = (uint8_t)(sha->h[i / 4] >> 8 * (i % 4));
    }
    memcpy(output + CONTEXT_FIXED_SIZE, sha->block, sha->block_length);
    *output_length = CONTEXT_FIXED_SIZE + (size_t)sha->block_length;
    return STATUS_OK;
}

static uint8_t write_context(struct sha_state *sha, const struct command *command)
{
    const uint8_t *data = command->data;
    uint32_t total;

    if (command->length < CONTEXT_FIXED_SIZE || command->length > CONTEXT_FIXED_SIZE + 63) {
        return STATUS_PARSE;
    }
    total = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
            (uint32_t)data[3] << 24;
    if (total % 64 != command->length - CONTEXT_FIXED_SIZE) {
        return STATUS_PARSE;
    }
    memset(sha, 0, sizeof(*sha));
    for (unsigned int i = 0; i < 32; i++) {
        sha->h[i / 4] |= (uint32_t)data[4 + i] << 8 * (i % 4);
    }
    sha->total = total;
    sha->block_length = (uint8_t)(total % 64);
    memcpy(sha->block, data + CONTEXT_FIXED_SIZE, sha->block_length);
    sha->active = true;
    return STATUS_OK;
}

/* Whether the data has the length that param2 announces, where param2 announces one. */
static bool length_fits(const struct command *command)
{
    switch (command->param1 & 0x07) {
    case SHA_UPDATE:
        return command->length == command->param2 && command->length <= 64;
    case SHA_END:
    case SHA_WRITE_CONTEXT:
        return command->length == command->param2;
    default:
        return command->length == 0;
    }
}

uint8_t cmd_sha(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                size_t *output_length)
{
    struct sha_state *sha = &chip->ram.sha;
    uint8_t mode = command->param1 & 0x07;
    bool needs_start =
        mode == SHA_UPDATE || mode == SHA_END || mode == SHA_PUBLIC || mode == SHA_READ_CONTEXT;

    if ((command->param1 & 0x38) != 0 || !length_fits(command) ||
        (mode != SHA_END && (command->param1 & SHA_TARGET) != 0)) {
        return STATUS_PARSE;
    }
    if (needs_start && !sha->active) {
        return STATUS_EXECUTION;
    }
    switch (mode) {
    case SHA_START:
        start(sha);
        return STATUS_OK;
    case SHA_UPDATE:
        update(sha, command->data, command->length);
        return STATUS_OK;
    case SHA_END:
        return end(chip, command, output, output_length);
    case SHA_PUBLIC:
        return add_public(chip, command->param2);
    case SHA_HMAC_START:
        return hmac_start(chip, command->param2);
    case SHA_READ_CONTEXT:
        return read_context(sha, output, output_length);
    case SHA_WRITE_CONTEXT:
        return write_context(sha, command);
    default:
        return STATUS_PARSE;
    }
}
