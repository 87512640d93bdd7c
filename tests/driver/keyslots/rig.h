/* SPDX-License-Identifier: Apache-2.0 */
/* The board's virtual part in this process, and power that fails for it and for the host. */
#ifndef TESTS_DRIVER_KEYSLOTS_RIG_H
#define TESTS_DRIVER_KEYSLOTS_RIG_H

#include <stdbool.h>

#include <corral/locations.h>

#include "../../../drivers/keyslots/part.h"
#include "../../../sim/keyslots/keyslots_sim.h"
#include "../../harness/harness.h"

#define KEY_SLOTS 12u     /* of kind `key` on this board, from slot 0 */
#define DEVICE_SLOT 12    /* of kind `device` */
#define RESERVED_SLOT 13u /* and the two behind it */

#define VOLATILE_KEY                                                                               \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE,                   \
                                                   CORRAL_LOCATION_KEYS)
#define PERSISTENT_KEY                                                                             \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_DEFAULT,                    \
                                                   CORRAL_LOCATION_KEYS)

extern struct keyslots_sim *part;
extern const struct keyslots_device *const device;

/* A fresh part, provisioned for the board, and fresh storage; psa_crypto_init() is done. */
void rig_fresh(void);

/* The host and the part begin anew, with power. */
void rig_restart(void);

/* Let the fault happen at transfer `number` from now on: only in the part, or the host
 * has no power either from then on. */
void rig_cut(const char *fault, unsigned number, bool with_host);

/* No fault any more. True if it has happened. */
bool rig_mend(void);

/* Let the part execute its commands and answer with this status; 0: with its own again. */
void rig_say(uint8_t status);

extern const struct test_suite suite_slots;
extern const struct test_suite suite_cuts;

#endif
