/* SPDX-License-Identifier: Apache-2.0 */
/* Emulated flash: in memory, and in the file of option `flash` on the host if there is one. */
#include "../common/flash_model.h"
#include "options.h"
#include "semihosting.h"

static int image = SEMIHOSTING_NO_FILE;
static bool is_open;

static size_t size_of_flash(void)
{
    const struct corral_flash_geometry *geometry = flash_model_geometry();

    return geometry->page_size * geometry->page_count;
}

/* Take the content from the file, or make the file. False: there is one, and it is no use. */
static bool open_image(void)
{
    const char *path = option_value("flash");

    if (is_open || path == NULL) {
        return true;
    }
    image = semihosting_open(path, SEMIHOSTING_UPDATE);
    if (image != SEMIHOSTING_NO_FILE) {
        is_open =
            semihosting_read(image, flash_model_content(), size_of_flash()) == size_of_flash();
    } else {
        image = semihosting_open(path, SEMIHOSTING_CREATE);
        is_open = image != SEMIHOSTING_NO_FILE &&
                  semihosting_write(image, flash_model_content(), size_of_flash());
    }
    return is_open;
}

/* Bring a part of the content to the file. */
static psa_status_t save(psa_status_t status, uint32_t offset, size_t size)
{
    if (image == SEMIHOSTING_NO_FILE) {
        return status;
    }
    return semihosting_seek(image, offset) &&
                   semihosting_write(image, flash_model_content() + offset, size)
               ? status
               : PSA_ERROR_STORAGE_FAILURE;
}

const struct corral_flash_geometry *corral_port_flash(void)
{
    return flash_model_geometry();
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    return open_image() ? flash_model_read(offset, data, size) : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    if (!open_image()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return save(flash_model_write(offset, data, size), offset, size);
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    const uint32_t size = flash_model_geometry()->page_size;

    if (!open_image()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return save(flash_model_erase(page), page * size, size);
}
