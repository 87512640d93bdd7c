/* SPDX-License-Identifier: Apache-2.0 */
/* A vault of the board: a row of the generated table corral/devices.h. */
#ifndef VAULT_DEVICE_H
#define VAULT_DEVICE_H

#include <stdint.h>

#include <psa/crypto_types.h>

struct vault_device {
    uint8_t bus;
    uint8_t address;             /* 7 bits */
    psa_key_location_t location; /* where its keys live */
    uint8_t index;               /* position in the table */
};

#endif
