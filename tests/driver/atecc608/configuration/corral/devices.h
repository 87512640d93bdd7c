/* SPDX-License-Identifier: Apache-2.0 */
/* Two chips on one bus, and a third on another bus under the address of the first. */
#ifndef CORRAL_DEVICES_H
#define CORRAL_DEVICES_H

#include <corral/drivers/atecc608/atecc608_device.h>
#include <psa/crypto.h>

#define CORRAL_ATECC608_DEVICE_COUNT 3
#define CORRAL_ATECC608_ANY_SLOTS_WRITE_KEY 1

#define CORRAL_LOCATION_SE0 ((psa_key_location_t)0x800001)
#define CORRAL_LOCATION_SE1 ((psa_key_location_t)0x800002)
#define CORRAL_LOCATION_SE2 ((psa_key_location_t)0x800003)

extern const struct atecc608_device corral_atecc608_devices[];

static inline size_t corral_atecc608_device_index(const psa_key_attributes_t *attributes)
{
    return (size_t)(PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) - CORRAL_LOCATION_SE0);
}

static inline size_t corral_atecc608_keyless_device(void)
{
    return 1;
}

#endif
