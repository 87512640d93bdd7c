/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash for updates in the file of option `slots` on the host: all pages of the flash, and one more
 * with the counter, which is not part of the flash.
 */
#include "../common/boot_flash.h"

#include <string.h>

#include "../../storage/bytes.h"
#include "options.h"
#include "semihosting.h"

/* Two pages for the state, and slots of 256 KB. */
static const struct corral_flash_geometry geometry = {4096, 2u + 2u * 64u, 32, false};

static int file = SEMIHOSTING_NO_FILE;

/* Go to a place of the file. */
static bool seek(uint32_t offset)
{
    if (file == SEMIHOSTING_NO_FILE) {
        file = semihosting_open(option_value("slots"), SEMIHOSTING_UPDATE);
    }
    return file != SEMIHOSTING_NO_FILE && semihosting_seek(file, offset);
}

bool boot_flash_exists(void)
{
    return option_value("slots") != NULL;
}

const struct corral_flash_geometry *boot_flash_geometry(void)
{
    return &geometry;
}

psa_status_t boot_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    return seek(offset) && semihosting_read(file, data, size) == size ? PSA_SUCCESS
                                                                      : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t boot_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    psa_status_t status = PSA_SUCCESS;
    uint8_t unit[32];

    for (size_t at = 0; at < size && status == PSA_SUCCESS; at += sizeof unit) {
        status = boot_flash_read(offset + (uint32_t)at, unit, sizeof unit);
        /* A write only clears bits: data over data that was not erased is damaged. */
        for (size_t i = 0; i < sizeof unit; i++) {
            unit[i] &= data[at + i];
        }
        if (status == PSA_SUCCESS &&
            !(seek(offset + (uint32_t)at) && semihosting_write(file, unit, sizeof unit))) {
            status = PSA_ERROR_STORAGE_FAILURE;
        }
    }
    return status;
}

psa_status_t boot_flash_erase(uint16_t page)
{
    uint8_t ones[256];

    memset(ones, 0xff, sizeof ones);
    bool is_done = seek(page * geometry.page_size);
    for (uint32_t i = 0; i < geometry.page_size && is_done; i += sizeof ones) {
        is_done = semihosting_write(file, ones, sizeof ones);
    }
    return is_done ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

static uint32_t counter_at(void)
{
    return geometry.page_count * geometry.page_size;
}

psa_status_t boot_counter_read(uint32_t *value)
{
    uint8_t bytes[4] = {0};

    const psa_status_t status = boot_flash_read(counter_at(), bytes, sizeof bytes);
    const uint32_t kept = (uint32_t)corral_take(bytes, sizeof bytes);
    *value = kept == UINT32_MAX ? 0 : kept; /* the page is new */
    return status;
}

psa_status_t boot_counter_raise(uint32_t value)
{
    uint8_t bytes[4];

    corral_put(bytes, value, sizeof bytes);
    return seek(counter_at()) && semihosting_write(file, bytes, sizeof bytes)
               ? PSA_SUCCESS
               : PSA_ERROR_STORAGE_FAILURE;
}
