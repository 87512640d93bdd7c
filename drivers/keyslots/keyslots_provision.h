/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preparing a part: its keys of kind `device`. For provisioning programs; the driver itself never
 * locks a slot. Locks are irreversible.
 */
#ifndef KEYSLOTS_PROVISION_H
#define KEYSLOTS_PROVISION_H

#include <stdbool.h>

#include "part.h"

struct keyslots_plan {
    struct keyslots_key part; /* its serial number; the rest is for the writing */
    uint16_t missing;         /* bit i: slot i is to get its device key */
    bool is_unfit;            /* another key is or was where one belongs, for good or not */
};

/* Look at what the part of `device` has. Nothing is changed. */
psa_status_t keyslots_plan(const struct keyslots_device *device, struct keyslots_plan *plan);

/*
 * Let the part generate what is missing: AES-256 keys, for all that the engine does, locked.
 * IRREVERSIBLE. On failure some may be made, and one torn, which counts as missing: plan again.
 */
psa_status_t keyslots_lock(const struct keyslots_device *device, struct keyslots_plan *plan);

#endif
