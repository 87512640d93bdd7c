/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_UPDATE_ERASED_H
#define CORRAL_UPDATE_ERASED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether bytes of the flash are erased. */
static inline bool corral_are_erased(const uint8_t *bytes, size_t size)
{
    uint8_t all = 0xff;

    for (size_t i = 0; i < size; i++) {
        all &= bytes[i];
    }
    return all == 0xff;
}

#endif
