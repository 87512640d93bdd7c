/* SPDX-License-Identifier: Apache-2.0 */
/* AES: one block of AES-128 in ECB, and the multiplication that GCM needs. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum { AES_ENCRYPT = 0, AES_DECRYPT = 1, AES_GFM = 3 };

/* Product in GF(2^128) in the bit order of GCM (NIST SP 800-38D, 6.3). */
static void multiply(const uint8_t h[16], const uint8_t x[16], uint8_t product[16])
{
    uint8_t v[16];

    memcpy(v, h, 16);
    memset(product, 0, 16);
    for (unsigned int bit = 0; bit < 128; bit++) {
        bool carry = (v[15] & 1u) != 0;

        if ((x[bit / 8] & 0x80u >> bit % 8) != 0) {
            for (unsigned int i = 0; i < 16; i++) {
                product[i] ^= v[i];
            }
        }
        for (unsigned int i = 15; i > 0; i--) {
            v[i] = (uint8_t)(v[i] >> 1 | v[i - 1] << 7);
        }
        v[0] >>= 1;
        if (carry) {
            v[0] ^= 0xE1;
        }
    }
}

/* The 16 bytes of a slot or of TempKey that serve as key. */
static uint8_t find_key(struct atecc608_sim_chip *chip, const struct command *command,
                        uint8_t key[16])
{
    size_t offset = (size_t)(command->param1 >> 6) * 16;
    uint16_t key_id = command->param2;
    struct slot_rules rules;
    uint8_t status;

    if (key_id == TEMPKEY_ID) {
        const struct tempkey *tempkey = &chip->ram.tempkey;

        if (!tempkey->valid || tempkey->holds_private ||
            offset + 16 > (tempkey->is_64 ? 64u : 32u)) {
            return STATUS_EXECUTION;
        }
        memcpy(key, tempkey->value + offset, 16);
        return STATUS_OK;
    }
    if (key_id >= SLOT_COUNT || offset + 16 > zones_slot_size(key_id)) {
        return STATUS_PARSE;
    }
    rules = permissions_of(chip, key_id);
    if (rules.is_private || rules.key_type != KEY_TYPE_AES) {
        return STATUS_EXECUTION;
    }
    status = permissions_use_key(chip, key_id);
    if (status == STATUS_OK) {
        memcpy(key, zones_slot_const(chip, key_id) + offset, 16);
    }
    return status;
}

uint8_t cmd_aes(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                size_t *output_length)
{
    uint8_t operation = command->param1 & 0x07;
    uint8_t key[16];
    uint8_t status;

    if ((command->param1 & 0x38) != 0 || command->length != (operation == AES_GFM ? 32u : 16u)) {
        return STATUS_PARSE;
    }
    if ((chip->nvm.config[CONFIG_AES_ENABLE] & 1u) == 0) {
        return STATUS_EXECUTION;
    }
    if (operation == AES_GFM) {
        multiply(command->data, command->data + 16, output);
        *output_length = 16;
        return STATUS_OK;
    }
    if (operation != AES_ENCRYPT && operation != AES_DECRYPT) {
        return STATUS_PARSE;
    }
    status = find_key(chip, command, key);
    if (status == STATUS_OK &&
        !crypto_aes128(key, operation == AES_ENCRYPT, command->data, output)) {
        status = STATUS_SELF_TEST;
    }
    memset(key, 0, sizeof(key));
    *output_length = status == STATUS_OK ? 16 : 0;
    return status;
}
