/* SPDX-License-Identifier: Apache-2.0 */
/* One part as a board declares it: a row of the generated table corral/devices.h. */
#ifndef KEYSLOTS_DEVICE_H
#define KEYSLOTS_DEVICE_H

#include <stdint.h>

#include <psa/crypto_types.h>

#define KEYSLOTS_SLOT_COUNT 16

/* Uses of a slot by the board. */
enum {
    KEYSLOTS_SLOT_RESERVED, /* not the driver's; a key in it can still be attached by its number */
    KEYSLOTS_SLOT_KEY,      /* the driver's: written, and revoked to be written again */
    KEYSLOTS_SLOT_DEVICE,   /* an AES-256 key that the part generates at provisioning, for good */
};

struct keyslots_device {
    uint8_t bus;
    uint8_t address;                    /* 7 bits */
    uint8_t slots[KEYSLOTS_SLOT_COUNT]; /* KEYSLOTS_SLOT_*; those not named are reserved */
    psa_key_location_t location;        /* where its keys live */
    uint8_t index;                      /* position in the table */
};

#endif
