/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter, in memory, and in a file of the host if the flash is in one: its name with
 * `.counter` behind it, four bytes, little-endian.
 */
#include <string.h>

#include "../../storage/bytes.h"
#include "../common/counter_model.h"
#include "options.h"
#include "power.h"
#include "semihosting.h"

#define PATH_SIZE 256u

static int image = SEMIHOSTING_NO_FILE;
static bool is_open;

static bool write_image(uint32_t value)
{
    uint8_t bytes[4];

    corral_put(bytes, value, sizeof bytes);
    return semihosting_seek(image, 0) && semihosting_write(image, bytes, sizeof bytes);
}

/* Take the value from the file, or make the file. False: there is one, and it is no use. */
static bool open_image(void)
{
    static const char ending[] = ".counter";
    const char *flash = option_value("flash");
    const size_t length = flash != NULL ? strlen(flash) : 0;
    char path[PATH_SIZE];
    uint8_t bytes[4];

    if (is_open || flash == NULL) {
        return true;
    }
    if (length > sizeof path - sizeof ending) {
        return false;
    }
    memcpy(path, flash, length);
    memcpy(path + length, ending, sizeof ending);
    image = semihosting_open(path, SEMIHOSTING_UPDATE);
    if (image != SEMIHOSTING_NO_FILE) {
        is_open = semihosting_read(image, bytes, sizeof bytes) == sizeof bytes;
        counter_model_set((uint32_t)corral_take(bytes, sizeof bytes));
    } else {
        image = semihosting_open(path, SEMIHOSTING_CREATE);
        is_open = image != SEMIHOSTING_NO_FILE && write_image(0);
    }
    return is_open;
}

psa_status_t corral_port_counter_read(uint32_t *value)
{
    return open_image() ? counter_model_read(value) : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_counter_advance(uint32_t value)
{
    psa_status_t status = open_image() ? counter_model_advance(value) : PSA_ERROR_STORAGE_FAILURE;

    if (image == SEMIHOSTING_NO_FILE) {
        return status;
    }
    (void)counter_model_read(&value); /* also what it is if power failed */
    if (!write_image(value)) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    power_end_without();
    return status;
}
