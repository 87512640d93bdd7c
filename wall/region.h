/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of addresses, for transports that know a client's memory by its bounds. */
#ifndef CORRAL_WALL_REGION_H
#define CORRAL_WALL_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/common/inline.h"

struct corral_wall_region {
    uintptr_t begin;
    size_t size; /* begin + size does not wrap around */
};

/* True if all of a buffer is in the region; whatever address and length are, nothing wraps. */
CORRAL_EXPANDED bool corral_wall_region_holds(const struct corral_wall_region *region,
                                              const void *buffer, size_t length)
{
    const uintptr_t at = (uintptr_t)buffer;

    return length <= region->size && at >= region->begin &&
           at - region->begin <= region->size - length;
}

#endif
