/* SPDX-License-Identifier: Apache-2.0 */
/* Output buffers: nothing of a failed call stays in them. */
#ifndef CORRAL_CORE_OUTPUT_H
#define CORRAL_CORE_OUTPUT_H

#include <stdbool.h>
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

/* True when the two regions share a byte. */
static inline bool corral_overlap(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    return (uintptr_t)a < (uintptr_t)b + b_size && (uintptr_t)b < (uintptr_t)a + a_size;
}

#endif
