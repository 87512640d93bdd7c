/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KEYSLOTS_KEYS_H
#define KEYSLOTS_KEYS_H

#include <stdint.h>

#include <corral/devices.h>

/*
 * The only state of a part: for each slot the revision that is a key in use, or 0.
 * Slots of the driver that hold another are left from an earlier run, without a name,
 * and are revoked when their place is needed. Guarded by the part's lock.
 */
extern uint16_t keyslots_owned[CORRAL_KEYSLOTS_DEVICE_COUNT][KEYSLOTS_SLOT_COUNT];

#endif
