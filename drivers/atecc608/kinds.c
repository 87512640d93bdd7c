/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include <corral/devices.h>
#include <psa/crypto.h>

/*
 * Data sheet, "SlotConfig" and "KeyConfig". All: never readable, no limited use, no authorisation,
 * no random nonce demanded, no persistent disable.
 *   P-256   0x2085: signs external digests, ECDH in clear, GenKey may replace it.
 *           0x0013: private, public key can be asked for, P-256.
 *           With a write key in slot n 0x6n85: PrivWrite may replace it too, encrypted.
 *   identity  0x0085: as P-256, but neither GenKey nor PrivWrite may replace it once the data zone
 *           is locked.
 *   AES     0x008F: written in clear as whole blocks. 0x0018: AES.
 *   HMAC    0x008F: as AES. 0x001C: a key for SHA.
 *   write   0x808F: never written once the data zone is locked. 0x005C: a key for SHA, which GenDig
 *           takes only together with a random number of the chip, so that nothing can be replayed.
 */
const struct atecc608_kind atecc608_kinds[] = {
    [ATECC608_SLOT_RESERVED] = {0, 0, 0, 0},
    [ATECC608_SLOT_P256] = {0x2085, 0x20AD, 0x0013, 0x10DF},
    [ATECC608_SLOT_AES128] = {0x008F, 0xF0F0, 0x0018, 0x10DD},
    [ATECC608_SLOT_HMAC] = {0x008F, 0xF0F0, 0x001C, 0x10DD},
    [ATECC608_SLOT_WRITE_KEY] = {0x808F, 0xF0F0, 0x005C, 0x10DD},
    [ATECC608_SLOT_IDENTITY] = {0x0085, 0x60AD, 0x0013, 0x10DF},
};

/* Bits of SlotConfig that let PrivWrite in, and say under which key. */
#define PRIVATE_WRITE 0x4000u
#define PRIVATE_WRITE_MASK 0x4F00u

uint8_t atecc608_write_key_slot(const struct atecc608_device *device)
{
    uint8_t slot = CORRAL_ATECC608_ANY_SLOTS_WRITE_KEY ? 0 : ATECC608_SLOT_COUNT;

    while (slot < ATECC608_SLOT_COUNT && device->slots[slot] != ATECC608_SLOT_WRITE_KEY) {
        slot++;
    }
    return slot;
}

uint16_t atecc608_private_write(const struct atecc608_device *device, uint8_t slot)
{
    const uint8_t write_key = atecc608_write_key_slot(device);

    if (device->slots[slot] != ATECC608_SLOT_P256 || write_key == ATECC608_SLOT_COUNT) {
        return 0;
    }
    return (uint16_t)(PRIVATE_WRITE | (unsigned)write_key << 8);
}

/* Whether the two words make `slot` fit for its purpose in the board's description. */
static bool fits(const struct atecc608_device *device, uint8_t slot, uint16_t slot_config,
                 uint16_t key_config)
{
    const struct atecc608_kind *wanted = &atecc608_kinds[device->slots[slot]];
    const uint16_t more = atecc608_private_write(device, slot);
    const unsigned mask = wanted->slot_mask | (more != 0 ? PRIVATE_WRITE_MASK : 0);

    return ((slot_config ^ (wanted->slot_config | more)) & mask) == 0 &&
           ((key_config ^ wanted->key_config) & wanted->key_mask) == 0;
}

uint16_t atecc608_usable_slots(const struct atecc608_device *device,
                               const uint8_t config[ATECC608_CONFIG_SIZE])
{
    const uint16_t unlocked = atecc608_slot_word(config + ATECC608_CONFIG_SLOT_LOCKED, 0);
    uint16_t usable = 0;

    for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT; slot++) {
        const uint8_t kind = device->slots[slot];
        const bool has_cipher =
            kind != ATECC608_SLOT_AES128 || (config[ATECC608_CONFIG_AES_ENABLE] & 1u) != 0;

        if (has_cipher &&
            fits(device, slot, atecc608_slot_word(config + ATECC608_CONFIG_SLOT_CONFIG, slot),
                 atecc608_slot_word(config + ATECC608_CONFIG_KEY_CONFIG, slot))) {
            usable = (uint16_t)(usable | 1u << slot);
        }
    }
    return usable & unlocked;
}

uint8_t atecc608_kind_of(psa_key_type_t type)
{
    if (type == PSA_KEY_TYPE_AES) {
        return ATECC608_SLOT_AES128;
    }
    if (type == PSA_KEY_TYPE_HMAC) {
        return ATECC608_SLOT_HMAC;
    }
    return PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) ? ATECC608_SLOT_P256 : ATECC608_SLOT_RESERVED;
}
