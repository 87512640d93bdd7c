/* SPDX-License-Identifier: Apache-2.0 */
/* In front of the port's flash, by the linker's --wrap. */
#include "power.h"

#include <corral/port.h>

psa_status_t __real_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t __real_corral_port_flash_erase(uint16_t page);
psa_status_t __wrap_corral_port_flash_erase(uint16_t page);

static uint32_t steps_left; /* to the one that fails; 0: none will */
static bool is_off;

void power_fails_at(uint32_t step)
{
    steps_left = step;
}

bool power_returns(void)
{
    const bool was_off = is_off;

    steps_left = 0;
    is_off = false;
    return was_off;
}

/* Whether power fails during this step. */
static bool fails_now(void)
{
    if (steps_left > 0) {
        steps_left--;
        is_off = steps_left == 0;
        return is_off;
    }
    return false;
}

psa_status_t __wrap_corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    const size_t unit = corral_port_flash()->write_size;
    const size_t half = size / 2 / unit * unit;

    if (is_off) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (!fails_now()) {
        return __real_corral_port_flash_write(offset, data, size);
    }
    if (half > 0) {
        (void)__real_corral_port_flash_write(offset, data, half);
    }
    return PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t __wrap_corral_port_flash_erase(uint16_t page)
{
    if (is_off || fails_now()) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return __real_corral_port_flash_erase(page);
}
