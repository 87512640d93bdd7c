/* SPDX-License-Identifier: Apache-2.0 */
/* What a device has and sends. */
#ifndef DEVICE_H
#define DEVICE_H

#include <corral/locations.h>

#include "keys.h"

/* Where all keys are. This is the only line that names a place. */
#define PLACE CORRAL_LOCATION_KEYS

/* NwkKey serves two algorithms, and a key of PSA serves one: so there are two of it. */
enum { NWK, NWK_CODE, APP, JOIN, FORWARDING, SERVING, PAYLOAD, KEYS };

struct device {
    psa_key_id_t keys[KEYS];
    uint8_t nonces[13]; /* JoinNonce, JoinEUI, DevNonce */
    uint8_t address[4];
};

/* Ask to join, and read the answer of the network. */
psa_status_t device_join(struct device *device);

/* Send a reading with keys made for this session. */
psa_status_t device_send(struct device *device);

#endif
