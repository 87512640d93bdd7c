/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the functions by which a driver overwrites the stack after its library reach as far as
 * the library did. The linker (--wrap) leads every call of the driver through frames_probe(), which
 * marks the stack below the caller, and every call of such a function through frames_wiper().
 * Both work on a stack of their own, so all writes of the driver count. Thumb only.
 */
#ifndef TEST_FRAMES_H
#define TEST_FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* The tables are generated, and also read by the assembler, which relies on the order. */

/* A function of the driver, or corral_random(), which sees to its own frames. */
struct frames_probe {
    void (*real)(void);
    uint32_t *hits;
    uint32_t saved[6]; /* r0 to r3, the return address, the stack pointer */
    uint32_t is_generator;
    /* The deepest use from its entry down, with all that it calls but the generator. */
    uint32_t stack;
    /* The most of the heap that one call had beside what was there, and that was left in use. */
    uint32_t heap;
    uint32_t kept;
};

/* A function that overwrites the stack. */
struct frames_wiper {
    void (*real)(void);
    const char *name;
    uint32_t used;        /* the most stack that was used when it was called, in bytes */
    uint32_t left;        /* the most that it has left, at the deep end */
    uint32_t overwritten; /* the least that it overwrote in any call, in bytes */
};

/* The functions of the driver in the order of subject_functions, and the generator. */
extern struct frames_probe frames_probes[];
extern struct frames_wiper frames_wipers[];
extern const size_t frames_wiper_count;

void wipe__frames__are_all_that_the_library_used(void);

#endif
