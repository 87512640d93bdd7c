/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/port.h>
#include <corral/update.h>

#include "image.h"
#include "record.h"

/* The image of slot `active` is no longer active, and has failed. */
static void return_to_other(struct corral_update_record *record, psa_status_t error)
{
    record->active ^= 1u;
    record->state = PSA_FWU_FAILED;
    record->error = error;
}

/* Change the state as a reset does. A staged image must fit the memory, as the active one must. */
static psa_status_t resume(struct corral_update_record *record, uint8_t *memory, size_t size)
{
    psa_status_t status;

    switch (record->state) {
    case PSA_FWU_WRITING:
        /* A slot that cannot be erased does not keep the active image from starting. */
        if (corral_update_erase_slot(record->active ^ 1u) == PSA_SUCCESS) {
            record->state = PSA_FWU_READY;
        }
        return PSA_SUCCESS;
    case PSA_FWU_STAGED:
        status = corral_image_verify_candidate(record->active, memory, size);
        if (status == PSA_ERROR_BAD_STATE || status == PSA_ERROR_INSUFFICIENT_MEMORY) {
            return status; /* no fault of the image */
        }
        record->error = status;
        record->state = status == PSA_SUCCESS ? PSA_FWU_TRIAL : PSA_FWU_FAILED;
        record->active ^= status == PSA_SUCCESS ? 1u : 0u;
        return PSA_SUCCESS;
    case PSA_FWU_TRIAL:
        return_to_other(record, PSA_ERROR_GENERIC_ERROR);
        return PSA_SUCCESS;
    case PSA_FWU_REJECTED:
        return_to_other(record, record->error);
        return PSA_SUCCESS;
    default:
        return PSA_SUCCESS;
    }
}

/*
 * From now on no image with a lower counter than this one starts. A counter that does not move,
 * such as one at its end, does not keep the image from starting; the next reset tries again.
 */
static void raise_counter(const struct corral_update_image *image)
{
    uint32_t least;

    if (corral_port_update_counter_read(&least) == PSA_SUCCESS && image->security_counter > least) {
        (void)corral_port_update_counter_raise(image->security_counter);
    }
}

psa_status_t corral_update_boot_into(uint8_t *memory, size_t size,
                                     struct corral_update_image *image)
{
    struct corral_update_record record;
    struct corral_update_image found;

    psa_status_t status = corral_update_load(&record);
    const uint8_t before = record.state;
    if (status == PSA_SUCCESS) {
        status = resume(&record, memory, size);
    }
    if (status == PSA_SUCCESS && record.state != before) {
        status = corral_update_store(&record);
    }
    if (status == PSA_SUCCESS) {
        status = corral_image_load(record.active, memory, size, &found);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (CORRAL_UPDATE_COUNTER && record.state != PSA_FWU_TRIAL) {
        raise_counter(&found);
    }
    *image = found;
    return PSA_SUCCESS;
}

psa_status_t corral_update_boot(struct corral_update_image *image)
{
    return corral_update_boot_into(NULL, 0, image);
}
