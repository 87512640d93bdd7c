/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"

#include <string.h>

#include <corral/port.h>

#include "../../ports/common/update_counter.h"

#define BLOCK 96u

static struct corral_update_image booted;

uint8_t *device_slot(unsigned slot)
{
    const struct corral_flash_geometry *const geometry = corral_port_update_flash();
    const unsigned pages = (geometry->page_count - 2u) / 2u;
    const unsigned first = flash_model_geometry()->page_count + 2u + slot * pages;

    return flash_model_content() + first * geometry->page_size;
}

void device_program(unsigned slot, const struct image *image)
{
    memcpy(device_slot(slot), image->bytes, image->size);
}

void device_change(unsigned slot, size_t at, uint8_t bits)
{
    device_slot(slot)[at] ^= bits;
}

psa_status_t device_boot(void)
{
    memset(&booted, 0, sizeof booted);
    return corral_update_boot(&booted);
}

psa_status_t device_reset(void)
{
    (void)flash_model_power_on();
    return device_boot();
}

void device_make(const struct corral_flash_geometry *geometry)
{
    flash_model_reset(geometry);
    update_counter_set(0);
    device_program(0, &image_first);
    NEED(device_reset());
}

void device_make_any(void)
{
    static const struct corral_flash_geometry any = {256, 2, 8, false};

    device_make(&any);
}

unsigned device_version(void)
{
    return booted.version.minor;
}

uint32_t device_counter(void)
{
    uint32_t counter = 0;

    NEED(corral_port_update_counter_read(&counter));
    return counter;
}

static psa_fwu_component_info_t info(void)
{
    psa_fwu_component_info_t found;

    NEED(psa_fwu_query(0, &found));
    return found;
}

uint8_t device_state(void)
{
    return info().state;
}

psa_status_t device_error(void)
{
    return info().error;
}

psa_status_t device_write(const struct image *image)
{
    psa_status_t status = PSA_SUCCESS;

    for (size_t at = 0; at < image->size && status == PSA_SUCCESS; at += BLOCK) {
        const size_t left = image->size - at;
        status = psa_fwu_write(0, at, image->bytes + at, left < BLOCK ? left : BLOCK);
    }
    return status;
}

void device_reach(uint8_t state)
{
    if (state == PSA_FWU_READY) {
        return;
    }
    NEED(psa_fwu_start(0, NULL, 0));
    NEED(device_write(&image_newer));
    if (state == PSA_FWU_FAILED) {
        NEED(psa_fwu_cancel(0));
    }
    if (state == PSA_FWU_WRITING || state == PSA_FWU_FAILED) {
        return;
    }
    NEED(psa_fwu_finish(0));
    if (state == PSA_FWU_CANDIDATE) {
        return;
    }
    EXPECT(PSA_SUCCESS_REBOOT, psa_fwu_install());
    if (state == PSA_FWU_STAGED) {
        return;
    }
    NEED(device_reset());
    if (state == PSA_FWU_REJECTED) {
        EXPECT(PSA_SUCCESS_REBOOT, psa_fwu_reject(-5));
    } else if (state == PSA_FWU_UPDATED) {
        NEED(psa_fwu_accept());
    }
}
