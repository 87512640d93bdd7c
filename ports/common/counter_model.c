/* SPDX-License-Identifier: Apache-2.0 */
#include "counter_model.h"

#include <corral/lock.h>

#include "flash_model.h"

static uint32_t counter;

/*
 * Flash and counter share their power, and the model of the flash keeps it. The library asks both
 * at once in several threads, the flash under the lock of the storage.
 */
psa_status_t counter_model_read(uint32_t *value)
{
    corral_lock_enter(CORRAL_LOCK_STORAGE);
    const bool is_on = flash_model_is_on();
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    *value = counter;
    return is_on ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

static psa_status_t advance(uint32_t value)
{
    return value == counter + 1u ? flash_model_set(&counter, value) : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t counter_model_advance(uint32_t value)
{
    corral_lock_enter(CORRAL_LOCK_STORAGE);
    psa_status_t status = advance(value);
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return status;
}

void counter_model_set(uint32_t value)
{
    counter = value;
}
