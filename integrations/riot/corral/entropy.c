/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entropy from the board's own source, if RIOT has a driver for it. Otherwise from RIOT's
 * generator, whose seed is 32 bits of the processor's serial number: see README.md.
 */
#include <corral/port.h>

#include "kernel_defines.h"
#include "periph/hwrng.h"
#include "random.h"

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    if (IS_USED(MODULE_PERIPH_HWRNG)) {
        hwrng_read(output, (unsigned)size);
    } else {
        random_bytes(output, size);
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
