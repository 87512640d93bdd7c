/* SPDX-License-Identifier: Apache-2.0 */
#include "padding.h"

#include <string.h>

void corral_padding_add(uint8_t *block, size_t used, size_t block_length)
{
    memset(block + used, (int)(block_length - used), block_length - used);
}

/* All ones if a < b, else 0; both below 2^31. */
static uint32_t mask_if_less(uint32_t a, uint32_t b)
{
    return (uint32_t)0 - ((a - b) >> 31);
}

psa_status_t corral_padding_check(const uint8_t *block, size_t block_length, size_t *used)
{
    const uint32_t size = (uint32_t)block_length;
    const uint32_t padding = block[block_length - 1];
    /* volatile: no compiler may turn the masks back into branches. */
    volatile uint32_t bad = mask_if_less(padding, 1) | mask_if_less(size, padding);

    for (uint32_t i = 0; i < size; i++) {
        /* Byte i counts when i >= size - padding, that is when size <= i + padding. */
        const uint32_t counts = ~mask_if_less(i + padding, size);
        bad |= counts & (block[i] ^ padding);
    }
    const uint32_t differences = bad;
    const uint32_t is_bad = (differences | (0 - differences)) >> 31;

    *used = (size_t)((size - padding) & (is_bad - 1));
    return -(psa_status_t)is_bad & PSA_ERROR_INVALID_PADDING;
}
