/* SPDX-License-Identifier: Apache-2.0 */
/* The trusted side as a board declares it: a row of the generated table corral/devices.h. */
#ifndef REMOTE_DEVICE_H
#define REMOTE_DEVICE_H

#include <stdint.h>

#include <psa/crypto_types.h>

struct remote_device {
    psa_key_location_t location; /* where its keys live */
    uint8_t index;               /* position in the table */
};

#endif
