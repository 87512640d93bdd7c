/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the functions by which a driver overwrites the stack after its library reach as far as
 * the library did. The linker (--wrap) leads every call of the driver through frames_probe(), which
 * marks the stack below the caller, and every call of such a function through frames_wiper(). Both
 * work on a stack of their own, so that what counts is all that the driver wrote. Thumb only.
 */
#ifndef TEST_FRAMES_H
#define TEST_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* The tables are generated, and also read by the assembler, which relies on the order. */

/* A function of the driver. */
struct frames_probe {
    void (*real)(void);
    uint32_t *hits;
    uint32_t saved[6]; /* r0 to r3, the return address, the stack pointer */
};

/* A function that overwrites the stack. */
struct frames_wiper {
    void (*real)(void);
    const char *name;
    uintptr_t lowest; /* where the library's frames ended when it was called last */
    uint32_t used;    /* the most stack that was used when it was called, in bytes */
    uint32_t left;    /* the most that it has left, at the deep end */
};

/* corral_random(): no part of the driver, and it sees to its own frames. */
struct frames_random {
    void (*real)(void);
    uint32_t saved; /* the return address */
};

extern struct frames_wiper frames_wipers[];
extern const size_t frames_wiper_count;
extern struct frames_random frames_random_row;

void wipe__frames__are_all_that_the_library_used(void);

#endif
