/* SPDX-License-Identifier: Apache-2.0 */
/* KDF: the PRF of TLS 1.2, one step of HKDF, or one AES block. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum {
    SOURCE_TEMPKEY,
    SOURCE_TEMPKEY_UPPER,
    SOURCE_SLOT,
    SOURCE_ALTERNATE,
};

enum {
    TARGET_TEMPKEY,
    TARGET_TEMPKEY_UPPER,
    TARGET_SLOT,
    TARGET_ALTERNATE,
    TARGET_OUTPUT,
    TARGET_OUTPUT_ENCRYPTED,
};

enum { ALGORITHM_PRF, ALGORITHM_AES, ALGORITHM_HKDF };

enum {
    DETAILS_SIZE = 4,
    MESSAGE_MAX = 128,
    PRF_LONG = 0x0100,
    PRF_AEAD = 0x0600,
    HKDF_ZERO_KEY = 0x04
};

enum { MESSAGE_SLOT, MESSAGE_TEMPKEY, MESSAGE_INPUT, MESSAGE_IV };

/* One KDF command, taken apart. */
struct kdf {
    uint8_t source;
    uint8_t target;
    uint8_t algorithm;
    unsigned int source_slot;
    unsigned int target_slot;
    uint32_t details;
    const uint8_t *message;
    size_t message_length;
    uint8_t key[64];
    size_t key_length; /* how many bytes of key the source has */
    uint8_t result[64];
    size_t result_length;
};

static bool parse(const struct command *command, struct kdf *kdf)
{
    if (command->length < DETAILS_SIZE || (command->param1 & 0x80) != 0) {
        return false;
    }
    kdf->source = command->param1 & 0x03;
    kdf->target = command->param1 >> 2 & 0x07;
    kdf->algorithm = command->param1 >> 5 & 0x03;
    kdf->source_slot = command->param2 & 0xFFu;
    kdf->target_slot = command->param2 >> 8;
    kdf->details = (uint32_t)command->data[0] | (uint32_t)command->data[1] << 8 |
                   (uint32_t)command->data[2] << 16 | (uint32_t)command->data[3] << 24;
    kdf->message = command->data + DETAILS_SIZE;
    kdf->message_length = command->length - DETAILS_SIZE;
    if (kdf->target > TARGET_OUTPUT_ENCRYPTED || kdf->algorithm > ALGORITHM_HKDF) {
        return false;
    }
    if ((kdf->source == SOURCE_SLOT && kdf->source_slot >= SLOT_COUNT) ||
        (kdf->target == TARGET_SLOT && kdf->target_slot >= SLOT_COUNT)) {
        return false;
    }
    return kdf->algorithm == ALGORITHM_AES
               ? kdf->message_length == 16
               : kdf->message_length == command->data[3] && kdf->message_length <= MESSAGE_MAX;
}

static uint8_t load_key(struct atecc608_sim_chip *chip, struct kdf *kdf)
{
    const struct tempkey *tempkey = &chip->ram.tempkey;
    size_t skip = kdf->source == SOURCE_TEMPKEY_UPPER ? 32 : 0;
    struct slot_rules rules;
    uint8_t status;

    switch (kdf->source) {
    case SOURCE_TEMPKEY:
    case SOURCE_TEMPKEY_UPPER:
        if (!tempkey->valid || tempkey->holds_private || (skip > 0 && !tempkey->is_64)) {
            return STATUS_EXECUTION;
        }
        kdf->key_length = (tempkey->is_64 ? 64u : 32u) - skip;
        memcpy(kdf->key, tempkey->value + skip, kdf->key_length);
        return STATUS_OK;
    case SOURCE_ALTERNATE:
        if (!chip->ram.alternate_key_valid) {
            return STATUS_EXECUTION;
        }
        kdf->key_length = 32;
        memcpy(kdf->key, chip->ram.alternate_key, 32);
        return STATUS_OK;
    default:
        rules = permissions_of(chip, kdf->source_slot);
        status = rules.is_private ? STATUS_EXECUTION : permissions_use_key(chip, kdf->source_slot);
        if (status == STATUS_OK) {
            size_t size = zones_slot_size(kdf->source_slot);

            kdf->key_length = size < 64 ? size : 64;
            memcpy(kdf->key, zones_slot_const(chip, kdf->source_slot), kdf->key_length);
        }
        return status;
    }
}

/* P_SHA256 of RFC 5246, section 5: the message is label and seed. */
static uint8_t run_prf(struct kdf *kdf)
{
    size_t key_length = 16 * ((kdf->details & 3u) + 1);
    uint8_t a[32 + MESSAGE_MAX];
    uint8_t next[32];

    if (key_length > kdf->key_length) {
        return STATUS_EXECUTION;
    }
    kdf->result_length = (kdf->details & PRF_LONG) != 0 ? 64 : 32;
    crypto_hmac_sha256(kdf->key, key_length, kdf->message, kdf->message_length, a);
    for (size_t done = 0; done < kdf->result_length; done += 32) {
        memcpy(a + 32, kdf->message, kdf->message_length);
        crypto_hmac_sha256(kdf->key, key_length, a, 32 + kdf->message_length, kdf->result + done);
        crypto_hmac_sha256(kdf->key, key_length, a, 32, next);
        memcpy(a, next, 32);
    }
    memset(a, 0, sizeof(a));
    return STATUS_OK;
}

static uint8_t run_aes(const struct atecc608_sim_chip *chip, struct kdf *kdf)
{
    size_t offset = 16 * (kdf->details & 3u);

    if ((chip->nvm.config[CONFIG_AES_ENABLE] & 1u) == 0 ||
        (chip_options(chip) & CHIP_OPTION_KDF_AES) == 0 || offset + 16 > kdf->key_length) {
        return STATUS_EXECUTION;
    }
    kdf->result_length = 32; /* sixteen bytes, the rest stays zero */
    return crypto_aes128(kdf->key + offset, true, kdf->message, kdf->result) ? STATUS_OK
                                                                             : STATUS_SELF_TEST;
}

/* The message of HKDF. The IV form must carry KdfIvStr at KdfIvLoc. */
static uint8_t hkdf_message(const struct atecc608_sim_chip *chip, struct kdf *kdf)
{
    const uint8_t *config = chip->nvm.config;
    size_t at = config[CONFIG_KDF_IV_LOCATION];

    switch (kdf->details & 3u) {
    case MESSAGE_INPUT:
        return STATUS_OK;
    case MESSAGE_TEMPKEY:
        if (!chip->ram.tempkey.valid || chip->ram.tempkey.holds_private ||
            kdf->message_length > 32) {
            return STATUS_EXECUTION;
        }
        kdf->message = chip->ram.tempkey.value;
        return STATUS_OK;
    case MESSAGE_IV:
        if (at + 2 > kdf->message_length ||
            memcmp(kdf->message + at, config + CONFIG_KDF_IV_STRING, 2) != 0) {
            return STATUS_EXECUTION;
        }
        return STATUS_OK;
    default:
        return STATUS_PARSE; /* a message in a slot: absent */
    }
}

static uint8_t run_hkdf(const struct atecc608_sim_chip *chip, struct kdf *kdf)
{
    uint8_t status = hkdf_message(chip, kdf);

    if (status != STATUS_OK) {
        return status;
    }
    if ((kdf->details & HKDF_ZERO_KEY) != 0) {
        memset(kdf->key, 0, sizeof(kdf->key));
    }
    kdf->result_length = 32;
    crypto_hmac_sha256(kdf->key, 32, kdf->message, kdf->message_length, kdf->result);
    return STATUS_OK;
}

/* Conditions of ChipOptions.KDFProt for a result that leaves the chip. */
static bool output_allowed(const struct atecc608_sim_chip *chip, uint8_t target)
{
    unsigned int protection = chip_options(chip) >> 10 & 3u;

    return protection == 0 || (protection == 1 && target == TARGET_OUTPUT_ENCRYPTED);
}

static uint8_t to_slot(struct atecc608_sim_chip *chip, const struct kdf *kdf, size_t length)
{
    struct slot_rules rules = permissions_of(chip, kdf->target_slot);

    if (rules.is_private || zones_slot_locked(chip, kdf->target_slot) || !zones_data_locked(chip) ||
        (rules.write_config & WRITE_NEVER) != 0 || length > zones_slot_size(kdf->target_slot)) {
        return STATUS_EXECUTION;
    }
    memcpy(zones_slot(chip, kdf->target_slot), kdf->result, length);
    return STATUS_OK;
}

static uint8_t deliver(struct atecc608_sim_chip *chip, struct kdf *kdf, size_t length,
                       uint8_t *output, size_t *output_length)
{
    uint8_t upper[64];
    uint8_t status;

    switch (kdf->target) {
    case TARGET_TEMPKEY:
        tempkey_set(chip, kdf->result, length, false);
        return STATUS_OK;
    case TARGET_TEMPKEY_UPPER:
        if (length != 32 || !chip->ram.tempkey.valid) {
            return STATUS_EXECUTION;
        }
        memcpy(upper, chip->ram.tempkey.value, 32);
        memcpy(upper + 32, kdf->result, 32);
        tempkey_set(chip, upper, 64, false);
        memset(upper, 0, sizeof(upper));
        return STATUS_OK;
    case TARGET_SLOT:
        return to_slot(chip, kdf, length);
    case TARGET_ALTERNATE:
        if (length != 32) {
            return STATUS_EXECUTION;
        }
        memcpy(chip->ram.alternate_key, kdf->result, 32);
        chip->ram.alternate_key_valid = true;
        return STATUS_OK;
    default:
        if (!output_allowed(chip, kdf->target)) {
            return STATUS_EXECUTION;
        }
        memcpy(output, kdf->result, length);
        *output_length = length;
        if (kdf->target == TARGET_OUTPUT) {
            return STATUS_OK;
        }
        status = io_protect(chip, output, length, output + length);
        *output_length = status == STATUS_OK ? length + 32 : 0;
        return status;
    }
}

/* The AEAD form of the PRF: the first half goes to the target, the second half out in the clear. */
static uint8_t deliver_halves(struct atecc608_sim_chip *chip, struct kdf *kdf, uint8_t *output,
                              size_t *output_length)
{
    uint8_t status;

    if (kdf->target >= TARGET_OUTPUT) {
        return STATUS_PARSE;
    }
    status = deliver(chip, kdf, 32, output, output_length);
    if (status == STATUS_OK) {
        memcpy(output, kdf->result + 32, 32);
        *output_length = 32;
    }
    return status;
}

uint8_t cmd_kdf(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                size_t *output_length)
{
    struct kdf kdf;
    uint8_t status;
    bool halves;

    memset(&kdf, 0, sizeof(kdf));
    if (!parse(command, &kdf)) {
        return STATUS_PARSE;
    }
    if (!zones_config_locked(chip)) {
        return STATUS_EXECUTION;
    }
    status = load_key(chip, &kdf);
    if (status == STATUS_OK) {
        status = kdf.algorithm == ALGORITHM_PRF   ? run_prf(&kdf)
                 : kdf.algorithm == ALGORITHM_AES ? run_aes(chip, &kdf)
                                                  : run_hkdf(chip, &kdf);
    }
    halves =
        kdf.algorithm == ALGORITHM_PRF && (kdf.details & PRF_AEAD) != 0 && kdf.result_length == 64;
    if (status == STATUS_OK) {
        chip->ram.sha.active = chip->ram.sha.active && kdf.algorithm == ALGORITHM_AES;
        status = halves ? deliver_halves(chip, &kdf, output, output_length)
                        : deliver(chip, &kdf, kdf.result_length, output, output_length);
    }
    memset(&kdf, 0, sizeof(kdf));
    return status;
}
