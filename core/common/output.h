/* SPDX-License-Identifier: Apache-2.0 */
/* Output buffers: nothing of a failed call stays in them. */
#ifndef CORRAL_CORE_COMMON_OUTPUT_H
#define CORRAL_CORE_COMMON_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <corral/driver.h>

/* Wipes `size` bytes of `output` and sets *length to 0. */
void corral_output_discard(uint8_t *output, size_t size, size_t *length);

/* Passes `status` on; after a failure the whole output buffer is zero and *length is 0. */
static inline psa_status_t corral_output_done(psa_status_t status, uint8_t *output, size_t size,
                                              size_t *length)
{
    if (status != PSA_SUCCESS) {
        corral_output_discard(output, size, length);
    }
    return status;
}

#endif
