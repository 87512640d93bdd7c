/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a call on this computer, in nanoseconds of the thread's processor time. */
#ifndef USES_NANOSECONDS_H
#define USES_NANOSECONDS_H

#include <stdint.h>
#include <time.h>

static inline uint64_t uses_begin(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static inline uint64_t uses_end(uint64_t began)
{
    return uses_begin() - began;
}

#endif
