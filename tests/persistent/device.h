/* SPDX-License-Identifier: Apache-2.0 */
/* A device that is switched off and on within one program. */
#ifndef TESTS_PERSISTENT_DEVICE_H
#define TESTS_PERSISTENT_DEVICE_H

#include "../../ports/common/flash_model.h"
#include "../harness/harness.h"

/* Flash as it leaves the factory, and a start. */
void device_fresh(const struct corral_flash_geometry *geometry);
/* Everything in memory is lost; power is back, and psa_crypto_init() is not called yet. */
void device_off(void);
/* device_off(), and psa_crypto_init(), which must succeed. */
void device_restart(void);
/* Slots that are in use. */
unsigned device_slots(void);

/* Attributes with an identifier. */
psa_key_attributes_t device_attributes(psa_key_id_t id, psa_key_type_t type, size_t bits,
                                       psa_algorithm_t alg, psa_key_usage_t usage);

#endif
