/* SPDX-License-Identifier: Apache-2.0 */
#include "counter_model.h"

#include "flash_model.h"

static uint32_t counter;

psa_status_t counter_model_read(uint32_t *value)
{
    *value = counter;
    return flash_model_is_on() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t counter_model_advance(uint32_t value)
{
    if (!flash_model_is_on() || value != counter + 1u) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    const enum flash_model_tear tear = flash_model_step();
    if (tear != FLASH_MODEL_NOTHING) {
        counter = value;
    }
    return tear == FLASH_MODEL_TEARS ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

void counter_model_set(uint32_t value)
{
    counter = value;
}
