/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of psa/update.h. Each reads the state from the flash: nothing is kept in memory. */
#include <psa/update.h>

#include <string.h>

#include <corral/port.h>

#include "erased.h"
#include "image.h"
#include "record.h"

#define ALIGNMENT (1u << PSA_FWU_LOG2_WRITE_ALIGN)

/* Sets of states. */
#define IN(state) (1u << (state))
#define ANY 0xffu

/* Read the state of a component, which must be in one of these. */
static psa_status_t load(psa_fwu_component_t component, unsigned states,
                         struct corral_update_record *record)
{
    if (component != 0) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    const psa_status_t status = corral_update_load(record);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return (IN(record->state) & states) != 0 ? PSA_SUCCESS : PSA_ERROR_BAD_STATE;
}

static psa_status_t store(struct corral_update_record *record, uint8_t state, psa_status_t error)
{
    record->state = state;
    record->error = error;
    return corral_update_store(record);
}

/* Go from one of these states to another one. */
static psa_status_t go(psa_fwu_component_t component, unsigned from, uint8_t to)
{
    struct corral_update_record record;

    const psa_status_t status = load(component, from, &record);
    return status == PSA_SUCCESS ? store(&record, to, PSA_SUCCESS) : status;
}

psa_status_t psa_fwu_query(psa_fwu_component_t component, psa_fwu_component_info_t *info)
{
    struct corral_update_record record;
    struct corral_update_image active;

    psa_status_t status = load(component, ANY, &record);
    if (status == PSA_SUCCESS) {
        status = corral_image_read(record.active, &active);
    }
    if (status != PSA_SUCCESS && status != PSA_ERROR_INVALID_ARGUMENT) {
        return status;
    }
    memset(info, 0, sizeof *info);
    if (status == PSA_SUCCESS) {
        info->version = active.version;
    }
    info->state = record.state;
    info->error = record.error;
    info->max_size = corral_update_slot_size();
    info->location = record.active;
    return PSA_SUCCESS;
}

psa_status_t psa_fwu_start(psa_fwu_component_t component, const void *manifest,
                           size_t manifest_size)
{
    struct corral_update_record record;

    const psa_status_t status = load(component, IN(PSA_FWU_READY), &record);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (manifest != NULL || manifest_size != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return store(&record, PSA_FWU_WRITING, PSA_SUCCESS);
}

/* Write ALIGNMENT bytes at an offset of the flash, unless they are there already. */
static psa_status_t write_unit(uint32_t at, const uint8_t unit[ALIGNMENT])
{
    uint8_t there[ALIGNMENT];

    const psa_status_t status = corral_port_update_read(at, there, ALIGNMENT);
    if (status != PSA_SUCCESS || memcmp(there, unit, ALIGNMENT) == 0) {
        return status;
    }
    return corral_are_erased(there, ALIGNMENT) ? corral_port_update_write(at, unit, ALIGNMENT)
                                               : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t psa_fwu_write(psa_fwu_component_t component, size_t image_offset, const void *block,
                           size_t block_size)
{
    const uint32_t room = corral_update_slot_size();
    struct corral_update_record record;
    const uint8_t *data = block;
    uint8_t unit[ALIGNMENT];

    psa_status_t status = load(component, IN(PSA_FWU_WRITING), &record);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (image_offset % ALIGNMENT != 0 || block_size == 0 || block_size > PSA_FWU_MAX_WRITE_SIZE ||
        image_offset > room || block_size > room - image_offset) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    uint32_t at = corral_update_slot(record.active ^ 1u) + (uint32_t)image_offset;
    while (status == PSA_SUCCESS && block_size > 0) {
        const size_t size = block_size < ALIGNMENT ? block_size : ALIGNMENT;
        memcpy(unit, data, size);
        memset(unit + size, 0xff, ALIGNMENT - size);
        status = write_unit(at, unit);
        data += size;
        at += ALIGNMENT;
        block_size -= size;
    }
    return status;
}

psa_status_t psa_fwu_finish(psa_fwu_component_t component)
{
    struct corral_update_record record;

    psa_status_t status = load(component, IN(PSA_FWU_WRITING), &record);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const psa_status_t verdict = corral_image_verify_candidate(record.active, NULL, 0);
    switch (verdict) {
    case PSA_SUCCESS:
        return store(&record, PSA_FWU_CANDIDATE, PSA_SUCCESS);
    case PSA_ERROR_INVALID_SIGNATURE:
    case PSA_ERROR_INVALID_ARGUMENT:
    case PSA_ERROR_NOT_PERMITTED:
        status = store(&record, PSA_FWU_FAILED, verdict);
        return status == PSA_SUCCESS ? verdict : status;
    default:
        return verdict;
    }
}

psa_status_t psa_fwu_cancel(psa_fwu_component_t component)
{
    return go(component, IN(PSA_FWU_WRITING) | IN(PSA_FWU_CANDIDATE), PSA_FWU_FAILED);
}

psa_status_t psa_fwu_clean(psa_fwu_component_t component)
{
    struct corral_update_record record;

    psa_status_t status = load(component, IN(PSA_FWU_FAILED) | IN(PSA_FWU_UPDATED), &record);
    if (status == PSA_SUCCESS) {
        status = corral_update_erase_slot(record.active ^ 1u);
    }
    return status == PSA_SUCCESS ? store(&record, PSA_FWU_READY, PSA_SUCCESS) : status;
}

psa_status_t psa_fwu_install(void)
{
    const psa_status_t status = go(0, IN(PSA_FWU_CANDIDATE), PSA_FWU_STAGED);

    return status == PSA_SUCCESS ? PSA_SUCCESS_REBOOT : status;
}

psa_status_t psa_fwu_request_reboot(void)
{
    return corral_port_update_reboot();
}

psa_status_t psa_fwu_reject(psa_status_t error)
{
    struct corral_update_record record;

    psa_status_t status = load(0, IN(PSA_FWU_STAGED) | IN(PSA_FWU_TRIAL), &record);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (record.state == PSA_FWU_STAGED) {
        return store(&record, PSA_FWU_FAILED, error);
    }
    status = store(&record, PSA_FWU_REJECTED, error);
    return status == PSA_SUCCESS ? PSA_SUCCESS_REBOOT : status;
}

psa_status_t psa_fwu_accept(void)
{
    return go(0, IN(PSA_FWU_TRIAL), PSA_FWU_UPDATED);
}
