/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.devices of the board's elements.
 */
#include <corral/devices.h>
#include <corral/locations.h>

#include <corral/drivers/atecc608/atecc608_device.h>

const struct atecc608_device corral_atecc608_devices[CORRAL_ATECC608_DEVICE_COUNT] = {
    {
        .bus = 0,
        .address = 96,
        .slots = {ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_P256,
                  ATECC608_SLOT_AES128, ATECC608_SLOT_AES128, ATECC608_SLOT_HMAC,
                  ATECC608_SLOT_HMAC, ATECC608_SLOT_WRITE_KEY, ATECC608_SLOT_IDENTITY},
        .location = CORRAL_LOCATION_SE0,
        .index = 0,
    },
    {
        .bus = 0,
        .address = 97,
        .slots = {ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_P256,
                  ATECC608_SLOT_AES128, ATECC608_SLOT_AES128, ATECC608_SLOT_HMAC,
                  ATECC608_SLOT_HMAC},
        .location = CORRAL_LOCATION_SE1,
        .index = 1,
    },
};
