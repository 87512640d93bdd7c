/* SPDX-License-Identifier: Apache-2.0 */
#include "forced.h"

#include <string.h>

#include <corral/driver.h>

static const uint8_t *forced;
static size_t forced_size;
static size_t forced_count;

psa_status_t __real_corral_random(uint8_t *output, size_t size);
psa_status_t __wrap_corral_random(uint8_t *output, size_t size);

void test_force_random(const uint8_t *data, size_t size)
{
    test_force_randoms(data, size, 1);
}

void test_force_randoms(const uint8_t *data, size_t size, size_t count)
{
    forced = data;
    forced_size = size;
    forced_count = count;
}

size_t test_forced_left(void)
{
    return forced_count;
}

psa_status_t __wrap_corral_random(uint8_t *output, size_t size)
{
    if (forced_count == 0 || size != forced_size) {
        return __real_corral_random(output, size);
    }
    memcpy(output, forced, size);
    forced += size;
    forced_count--;
    return PSA_SUCCESS;
}
