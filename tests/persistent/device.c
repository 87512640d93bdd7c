/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"

#include <string.h>

#include <corral/lock.h>

#include "../../core/common/initialised.h"
#include "../../core/keys/pool.h"
#include "../../storage/rollback.h"
#include "../harness/slots.h"

void device_off(void)
{
    slots_lose_power();
    corral_initialised = false;
    corral_store_unmount();
    if (CORRAL_ROLLBACK_DETECTION) {
        corral_rollback_forget();
    }
    (void)flash_model_power_on();
}

void device_restart(void)
{
    device_off();
    NEED(psa_crypto_init());
}

void device_new(const struct corral_flash_geometry *geometry)
{
    flash_model_reset(geometry);
    counter_model_set(0);
}

void device_fresh(const struct corral_flash_geometry *geometry)
{
    device_new(geometry);
    device_restart();
}

static size_t content_size(void)
{
    return (size_t)flash_model_geometry()->page_size * flash_model_geometry()->page_count;
}

void device_save(struct device_storage *saved)
{
    memcpy(saved->content, flash_model_content(), content_size());
    (void)counter_model_read(&saved->counter);
}

void device_restore(const struct device_storage *saved)
{
    memcpy(flash_model_content(), saved->content, content_size());
    corral_store_unmount();
    counter_model_set(saved->counter);
}

psa_status_t device_record_read(psa_key_id_t id, struct corral_key_record *record)
{
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    const psa_status_t status = corral_key_record_read(id, record);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

psa_status_t device_record_write(struct corral_key *key)
{
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    const psa_status_t status = corral_key_record_write(key, CORRAL_STAGE_READY);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

psa_status_t device_record_mark(struct corral_key_record *record)
{
    corral_lock_enter(CORRAL_LOCK_PERSISTENT);
    const psa_status_t status = corral_key_record_mark(record, CORRAL_STAGE_READY);
    corral_lock_leave(CORRAL_LOCK_PERSISTENT);
    return status;
}

unsigned device_slots(void)
{
    const struct corral_key *key;
    unsigned count = 0;

    for (size_t i = 0; (key = corral_key_at(i)) != NULL; i++) {
        count += key->state != CORRAL_KEY_FREE;
    }
    return count;
}
