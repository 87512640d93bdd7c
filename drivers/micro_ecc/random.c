/* SPDX-License-Identifier: Apache-2.0 */
/*
 * micro-ecc draws through one global function pointer. It is set once, before any thread can be
 * inside the library, and never changed; each failed draw reaches its own caller as the library's
 * result 0. The library's own default, which reads /dev/urandom on POSIX systems, is compiled out
 * by the definition of _UECC_PLATFORM_SPECIFIC_H_ in driver.json.
 */
#include <corral/drivers/micro_ecc/entry_points.h>

#include <corral/driver.h>
#include <uECC.h>

/* Defined by driver.json when the build binds something that draws. */
#ifndef MICRO_ECC_DRIVER_DRAWS
#define MICRO_ECC_DRIVER_DRAWS 0
#endif

static int draw(uint8_t *output, unsigned size)
{
    return corral_random(output, size) == PSA_SUCCESS ? 1 : 0;
}

/* Tie the library's generator to corral_random(). Always succeeds. */
psa_status_t micro_ecc_driver_init(void)
{
    if (MICRO_ECC_DRIVER_DRAWS) {
        uECC_set_rng(draw);
    }
    return PSA_SUCCESS;
}
