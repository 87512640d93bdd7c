/* SPDX-License-Identifier: Apache-2.0 */
/* The library counts bytes in 32 bits: longer inputs are handed to it in parts, or not at all. */
#ifndef WOLFCRYPT_PART_H
#define WOLFCRYPT_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As much of `length` bytes as one call takes; a whole number of blocks if it is not all. */
static inline uint32_t wolfcrypt_driver_part(size_t length)
{
    const uint32_t most = (uint32_t)1 << 30;

    return length < most ? (uint32_t)length : most;
}

/* Whether one call takes all of `length` bytes. */
static inline bool wolfcrypt_driver_is_whole(uint64_t length)
{
    return length >> 32 == 0;
}

#endif
