/* SPDX-License-Identifier: Apache-2.0 */
/* The three memories: layout, lock bits and factory contents. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

enum { LOCKED = 0x00, UNLOCKED = 0x55 };

/* Factory contents of bytes 16 to 127, as read from blank chips. */
static const uint8_t factory_config[CONFIG_SIZE - 16] = {
    /*  16 */ 0xC0, 0x00, 0x00, 0x00,
    /*  20 SlotConfig */
    0x83, 0x20, 0x87, 0x20, 0x8F, 0x20, 0xC4, 0x8F, 0x8F, 0x8F, 0x8F, 0x8F, 0x9F, 0x8F, 0xAF, 0x8F,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xAF, 0x8F,
    /*  52 counters */
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00,
    /*  68 UseLock, VolatileKeyPermission, SecureBoot, KdfIvLoc, KdfIvStr, reserved */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    /*  84 UserExtra, UserExtraAdd, LockValue, LockConfig, SlotLocked, ChipOptions, X509format */
    0x00, 0x00, UNLOCKED, UNLOCKED, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    /*  96 KeyConfig */
    0x33, 0x00, 0x33, 0x00, 0x33, 0x00, 0x1C, 0x00, 0x1C, 0x00, 0x1C, 0x00, 0x1C, 0x00, 0x1C, 0x00,
    0x3C, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x1C, 0x00};

bool zones_factory(struct nvm *nvm, uint8_t address)
{
    static const uint8_t revision[4] = {0x00, 0x00, 0x60, 0x03};
    uint8_t unique[6];

    if (!crypto_random(unique, sizeof(unique))) {
        return false;
    }
    memset(nvm, 0, sizeof(*nvm));
    memset(nvm->otp, 0xFF, sizeof(nvm->otp));
    memset(nvm->data, 0xFF, sizeof(nvm->data));
    nvm->config[0] = 0x01; /* SN[0..3], revision, SN[4..8] */
    nvm->config[1] = 0x23;
    memcpy(nvm->config + 2, unique, 2);
    memcpy(nvm->config + 4, revision, sizeof(revision));
    memcpy(nvm->config + 8, unique + 2, 4);
    nvm->config[12] = 0xEE;
    nvm->config[CONFIG_AES_ENABLE] = 0x01;
    nvm->config[14] = 0x01; /* I2C_Enable */
    memcpy(nvm->config + 16, factory_config, sizeof(factory_config));
    nvm->config[CONFIG_I2C_ADDRESS] = (uint8_t)(address << 1);
    return true;
}

bool zones_config_locked(const struct atecc608_sim_chip *chip)
{
    return chip->nvm.config[CONFIG_LOCK_CONFIG] != UNLOCKED;
}

bool zones_data_locked(const struct atecc608_sim_chip *chip)
{
    return chip->nvm.config[CONFIG_LOCK_VALUE] != UNLOCKED;
}

bool zones_slot_locked(const struct atecc608_sim_chip *chip, unsigned int slot)
{
    unsigned int bits = (unsigned int)chip->nvm.config[CONFIG_SLOT_LOCKED] |
                        (unsigned int)chip->nvm.config[CONFIG_SLOT_LOCKED + 1] << 8;

    return (bits >> slot & 1u) == 0;
}

size_t zones_slot_size(unsigned int slot)
{
    if (slot < 8) {
        return 36;
    }
    return slot == 8 ? 416 : 72;
}

static size_t slot_offset(unsigned int slot)
{
    size_t offset = 0;

    for (unsigned int i = 0; i < slot; i++) {
        offset += zones_slot_size(i);
    }
    return offset;
}

uint8_t *zones_slot(struct atecc608_sim_chip *chip, unsigned int slot)
{
    return chip->nvm.data + slot_offset(slot);
}

const uint8_t *zones_slot_const(const struct atecc608_sim_chip *chip, unsigned int slot)
{
    return chip->nvm.data + slot_offset(slot);
}

void zones_serial(const struct atecc608_sim_chip *chip, uint8_t serial[9])
{
    memcpy(serial, chip->nvm.config, 4);
    memcpy(serial + 4, chip->nvm.config + 8, 5);
}

uint16_t chip_options(const struct atecc608_sim_chip *chip)
{
    const uint8_t *bytes = chip->nvm.config + CONFIG_CHIP_OPTIONS;

    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

size_t atecc608_sim_peek(const struct atecc608_sim_chip *chip, unsigned int zone, uint8_t *data,
                         size_t size)
{
    const uint8_t *source = zone == ZONE_CONFIG ? chip->nvm.config
                            : zone == ZONE_OTP  ? chip->nvm.otp
                                                : chip->nvm.data;
    size_t length = zone == ZONE_CONFIG ? CONFIG_SIZE
                    : zone == ZONE_OTP  ? OTP_SIZE
                    : zone == ZONE_DATA ? DATA_SIZE
                                        : 0;

    if (length > 0 && size > 0) {
        memcpy(data, source, size < length ? size : length);
    }
    return length;
}
