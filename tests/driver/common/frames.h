/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the functions by which a driver overwrites the stack after its library reach as far as
 * the library did. The linker leads every call of the driver through frames_paint(), which marks
 * the stack below, and every call of such a function between the other two. Thumb only.
 */
#ifndef TEST_FRAMES_H
#define TEST_FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct frames_wiper {
    const char *name;
    uint32_t used; /* the most stack that was used when it was called, in bytes */
    uint32_t left; /* the most that it has left, at the deep end */
};

extern struct frames_wiper frames_wipers[];
extern const size_t frames_wiper_count;

/* Mark the stack below `top`. */
void frames_paint(uintptr_t top);
/* How far down the stack below `top` was written since. */
uintptr_t frames_lowest(uintptr_t top);
/* Note whether all from there up to `top` was overwritten, and mark it again. */
void frames_check(uintptr_t top, uintptr_t lowest, struct frames_wiper *wiper);

void wipe__frames__are_all_that_the_library_used(void);

#endif
