/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emulated flash: in memory, and in the file of option `flash` on the host if there is one. With a
 * file, power fails during the step that option `cut` counts to (power.h).
 */
#include <corral/config.h>

#include "../common/flash_image.h"
#include "options.h"
#include "power.h"
#include "semihosting.h"

static int image = SEMIHOSTING_NO_FILE;
static bool is_open;

static size_t size_of_flash(void)
{
    const struct corral_flash_geometry *geometry = flash_model_geometry();

    return geometry->page_size * geometry->page_count;
}

/* Decimal digits; 0 without the option. */
static uint32_t number_of(const char *name)
{
    const char *digits = option_value(name);
    uint32_t number = 0;

    while (digits != NULL && *digits >= '0' && *digits <= '9') {
        number = 10u * number + (uint32_t)(*digits++ - '0');
    }
    return number;
}

bool flash_image_open(void)
{
    /* Where two programs have flash, `flash` is the trusted side's. */
    const char *path = option_value(HAS_REMOTE ? "own_flash" : "flash");

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
    flash_model_cut(number_of("cut"), (enum flash_model_tear)(number_of("tear")));
    return is_open;
}

bool flash_image_exists(void)
{
    return image != SEMIHOSTING_NO_FILE;
}

bool flash_image_write(uint32_t offset, size_t size)
{
    const bool is_written = semihosting_seek(image, offset) &&
                            semihosting_write(image, flash_model_content() + offset, size);

    power_end_without();
    return is_written;
}
