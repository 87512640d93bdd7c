/* SPDX-License-Identifier: Apache-2.0 */
#include "unique.h"

#include <corral/dispatch/mac.h>
#include <corral/driver.h>

#include "pool.h"

psa_status_t corral_unique_key_of_caller(uint8_t key[CORRAL_DEVICE_KEY_SIZE])
{
    const corral_owner_t caller = CORRAL_WALL ? corral_owner : 0;
    psa_key_attributes_t attributes = psa_key_attributes_init();
    uint8_t text[] = "Corral: hardware unique key of caller \0\0\0";
    uint8_t unique[CORRAL_DEVICE_KEY_SIZE];
    size_t length;

    for (unsigned i = 0; i < sizeof caller; i++) {
        text[sizeof text - 1 - i] = (uint8_t)(caller >> (8 * i));
    }
    attributes.type = PSA_KEY_TYPE_HMAC;
    attributes.bits = 8 * CORRAL_DEVICE_KEY_SIZE;
    psa_status_t status = corral_port_device_key(unique);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_mac_compute(&attributes, unique, sizeof unique,
                                             PSA_ALG_HMAC(PSA_ALG_SHA_256), text, sizeof text, key,
                                             CORRAL_DEVICE_KEY_SIZE, &length);
    }
    corral_wipe(unique, sizeof unique);
    return status;
}
