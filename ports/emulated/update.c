/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two slots of boards whose flash is a model: pages behind those of the storage, which no file
 * keeps. The private key of this public one is published (tests/update/maker.pem): an image proves
 * nothing.
 */
#include <string.h>

#include <corral/config.h>
#include <corral/port.h>

#include "../common/boot_flash.h"
#include "../common/flash_model.h"
#include "../common/update_counter.h"

#define PAGES 8u

/* Whether the flash survives a reset. A macro: other ports have no such functions to link. */
#define IS_KEPT (HAS_BOOT_MEMORY && boot_flash_exists())

static uint32_t first_byte(void)
{
    return flash_model_extend(PAGES) * flash_model_geometry()->page_size;
}

const struct corral_flash_geometry *corral_port_update_flash(void)
{
    static struct corral_flash_geometry geometry;

    if (IS_KEPT) {
        return boot_flash_geometry();
    }
    (void)flash_model_extend(PAGES);
    geometry = *flash_model_geometry();
    geometry.page_count = PAGES;
    return &geometry;
}

psa_status_t corral_port_update_read(uint32_t offset, uint8_t *data, size_t size)
{
    return IS_KEPT ? boot_flash_read(offset, data, size)
                   : flash_model_read(first_byte() + offset, data, size);
}

psa_status_t corral_port_update_write(uint32_t offset, const uint8_t *data, size_t size)
{
    return IS_KEPT ? boot_flash_write(offset, data, size)
                   : flash_model_write(first_byte() + offset, data, size);
}

psa_status_t corral_port_update_erase(uint16_t page)
{
    return IS_KEPT ? boot_flash_erase(page)
                   : flash_model_erase((uint16_t)(flash_model_extend(PAGES) + page));
}

static uint32_t counter;

void update_counter_set(uint32_t value)
{
    counter = value;
}

psa_status_t corral_port_update_counter_read(uint32_t *value)
{
    if (IS_KEPT) {
        return boot_counter_read(value);
    }
    *value = counter;
    return flash_model_is_on() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_update_counter_raise(uint32_t value)
{
    return IS_KEPT ? boot_counter_raise(value) : flash_model_set(&counter, value);
}

psa_status_t corral_port_update_key(uint8_t key[CORRAL_UPDATE_KEY_SIZE])
{
    static const uint8_t published[CORRAL_UPDATE_KEY_SIZE] = {
        0x04, 0x32, 0xcd, 0x7a, 0x60, 0xef, 0x0b, 0x86, 0xa4, 0x7c, 0x23, 0xe0, 0xbe,
        0x1e, 0xdc, 0xc4, 0xec, 0xec, 0x67, 0xcf, 0xb8, 0x1c, 0x9f, 0xc2, 0x7b, 0xf2,
        0x37, 0x39, 0xe4, 0xe3, 0xac, 0x48, 0xd9, 0xad, 0x70, 0x2a, 0xd4, 0x36, 0x70,
        0xfd, 0xf5, 0x45, 0xb7, 0xec, 0x03, 0xf6, 0xe7, 0xef, 0x3a, 0xe6, 0x20, 0x10,
        0xa0, 0xc5, 0x30, 0x68, 0x7d, 0x94, 0xa1, 0xbd, 0xb7, 0x73, 0x85, 0x48, 0x4e,
    };

    memcpy(key, published, sizeof published);
    return PSA_SUCCESS;
}

/* A reset would lose the flash of the model. */
psa_status_t corral_port_update_reboot(void)
{
    if (IS_KEPT) {
        boot_flash_reset();
    }
    return PSA_ERROR_NOT_SUPPORTED;
}
