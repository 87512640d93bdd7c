/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_WALL_TRUSTZONE_TRUSTED_CALLER_H
#define CORRAL_WALL_TRUSTZONE_TRUSTED_CALLER_H

#include <stdint.h>

/* The number of the exception that calls; 0: a thread. */
static inline uint32_t corral_wall_exception(void)
{
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception;
}

#endif
