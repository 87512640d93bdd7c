/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a call on this computer, counted by Callgrind: it writes a file for each
 * call. The record of a call is the number of its file, from 1.
 */
#ifndef USES_CALLGRIND_H
#define USES_CALLGRIND_H

#include <stdint.h>

#include <valgrind/callgrind.h>

static inline uint32_t uses_begin(void)
{
    CALLGRIND_ZERO_STATS;
    return 0;
}

static inline uint32_t uses_end(uint32_t began)
{
    static uint32_t files;

    CALLGRIND_DUMP_STATS;
    files++;
    return files - began;
}

#endif
