/* SPDX-License-Identifier: Apache-2.0 */
/* A device that is switched off and on within one program. */
#ifndef TESTS_PERSISTENT_DEVICE_H
#define TESTS_PERSISTENT_DEVICE_H

#include "../../core/keys/record.h"
#include "../../ports/common/counter_model.h"
#include "../../ports/common/flash_model.h"
#include "../harness/harness.h"
#include "restarts.h"

/* Storage as it leaves the factory: flash of this geometry, and the counter. */
void device_new(const struct corral_flash_geometry *geometry);
/* Everything in memory is lost; power is back, and psa_crypto_init() is not called yet. */
void device_off(void);
/* Flash and counter, to try something and go back. */
struct device_storage {
    uint8_t content[FLASH_MODEL_MAX_SIZE];
    uint32_t counter;
};
void device_save(struct device_storage *saved);
void device_restore(const struct device_storage *saved);
/* The record of a key, as core/keys/record.h has it, under the lock of persistent keys. */
psa_status_t device_record_read(psa_key_id_t id, struct corral_key_record *record);
psa_status_t device_record_write(struct corral_key *key);
psa_status_t device_record_mark(struct corral_key_record *record);
/* Slots that are in use. */
unsigned device_slots(void);

#endif
