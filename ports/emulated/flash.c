/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/flash_image.h"

/* Bring a part of the content to the file, also what is left of it when power failed. */
static psa_status_t save(psa_status_t status, uint32_t offset, size_t size)
{
    return flash_image_exists() && !flash_image_write(offset, size) ? PSA_ERROR_STORAGE_FAILURE
                                                                    : status;
}

const struct corral_flash_geometry *corral_port_flash(void)
{
    return flash_model_geometry();
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    return flash_image_open() ? flash_model_read(offset, data, size) : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    if (!flash_image_open()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return save(flash_model_write(offset, data, size), offset, size);
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    const uint32_t size = flash_model_geometry()->page_size;

    if (!flash_image_open()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return save(flash_model_erase(page), page * size, size);
}
