/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in records: little-endian, whatever the processor is. */
#ifndef CORRAL_STORAGE_BYTES_H
#define CORRAL_STORAGE_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void corral_put(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline uint64_t corral_take(const uint8_t *from, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i > 0; i--) {
        value = value << 8 | from[i - 1];
    }
    return value;
}

#endif
