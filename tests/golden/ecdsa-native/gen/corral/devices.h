/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of devices, in the order of the board's description. Generated from a configuration,
 * board native and each driver.json. Made by corral.generate.devices of the board's elements.
 */
#ifndef CORRAL_DEVICES_H
#define CORRAL_DEVICES_H

#include <stddef.h>

#include <corral/config.h>
#include <corral/locations.h>
#include <psa/crypto.h>

#include <corral/drivers/atecc608/atecc608_device.h>

#define CORRAL_ATECC608_DEVICE_COUNT 2
#define CORRAL_ATECC608_ANY_SLOTS_WRITE_KEY 1

extern const struct atecc608_device corral_atecc608_devices[CORRAL_ATECC608_DEVICE_COUNT];

/* Position of the device that keeps a key. Call only with keys of this driver's elements. */
static inline size_t corral_atecc608_device_index(const psa_key_attributes_t *attributes)
{
    return (size_t)(PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) - CORRAL_LOCATION_SE0);
}

/* Position of the device that runs requests without a key. */
static inline size_t corral_atecc608_keyless_device(void)
{
    return CORRAL_ATECC608_KEYLESS_DEVICE;
}

#endif
