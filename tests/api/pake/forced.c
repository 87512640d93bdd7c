/* SPDX-License-Identifier: Apache-2.0 */
#include "forced.h"

#include <string.h>

#include <corral/driver.h>

static const uint8_t *forced;
static size_t forced_size;

psa_status_t __real_corral_random(uint8_t *output, size_t size);
psa_status_t __wrap_corral_random(uint8_t *output, size_t size);

void test_force_random(const uint8_t *data, size_t size)
{
    forced = data;
    forced_size = size;
}

psa_status_t __wrap_corral_random(uint8_t *output, size_t size)
{
    if (forced == NULL || size != forced_size) {
        return __real_corral_random(output, size);
    }
    memcpy(output, forced, size);
    forced = NULL;
    return PSA_SUCCESS;
}
