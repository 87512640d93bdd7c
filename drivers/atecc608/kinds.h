/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of keys that a slot can hold, by the configuration of the chip. */
#ifndef ATECC608_KINDS_H
#define ATECC608_KINDS_H

#include <psa/crypto_types.h>

#include "atecc608_device.h"

#define ATECC608_CONFIG_SIZE 128u

/* Offsets in the configuration zone (data sheet, "Configuration zone"). */
enum {
    ATECC608_CONFIG_AES_ENABLE = 13,
    ATECC608_CONFIG_I2C_ADDRESS = 16,
    ATECC608_CONFIG_SLOT_CONFIG = 20,
    ATECC608_CONFIG_LOCK_DATA = 86,
    ATECC608_CONFIG_LOCK_CONFIG = 87,
    ATECC608_CONFIG_SLOT_LOCKED = 88,
    ATECC608_CONFIG_KEY_CONFIG = 96,
};

/* SlotConfig and KeyConfig of a kind, and the bits of each that the driver depends on. */
struct atecc608_kind {
    uint16_t slot_config;
    uint16_t slot_mask;
    uint16_t key_config;
    uint16_t key_mask;
};

/* Indexed by ATECC608_SLOT_*; the row of ATECC608_SLOT_RESERVED asks for nothing. */
extern const struct atecc608_kind atecc608_kinds[];

/* The bits of KeyConfig that say what a slot holds: Private and KeyType. */
#define ATECC608_KEY_CONFIG_TYPE 0x001Du

/* A little-endian word of the configuration zone that belongs to `slot`. */
static inline uint16_t atecc608_slot_word(const uint8_t *words, size_t slot)
{
    return (uint16_t)(words[2 * slot] | words[2 * slot + 1] << 8);
}

/* The slot that the board declares for the write key; ATECC608_SLOT_COUNT if none. */
uint8_t atecc608_write_key_slot(const struct atecc608_device *device);

/*
 * Bits that a slot's SlotConfig needs beyond the row of its kind, for PrivWrite to take
 * a private key under the board's write key; 0 if no private key is written.
 */
uint16_t atecc608_private_write(const struct atecc608_device *device, uint8_t slot);

/* Bit i: slot i has the configuration of the kind that the board declares for it, and its content
 * is not locked. */
uint16_t atecc608_usable_slots(const struct atecc608_device *device,
                               const uint8_t config[ATECC608_CONFIG_SIZE]);

/* The kind of slot that keys of this type need; ATECC608_SLOT_RESERVED: none. */
uint8_t atecc608_kind_of(psa_key_type_t type);

#endif
