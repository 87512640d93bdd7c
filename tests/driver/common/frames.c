/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <stdio.h>

#include "../../harness/harness.h"

#define PAINT 0xa5u
/* Deeper than any driver goes. */
#define DEPTH 16384u
/* The functions here stand in the upper part themselves; what counts is how deep others came. */
#define OWN 192u

/* Where the marked stack begins; 0: nothing was marked yet. */
static uintptr_t bottom;

/* The stack that belongs to nobody: not for a compiler to reason about. */
#define UNCHECKED __attribute__((noinline, no_sanitize_address, no_sanitize_undefined))

UNCHECKED void frames_paint(uintptr_t top)
{
    bottom = top - DEPTH;
    for (uintptr_t at = bottom; at < top - OWN; at += sizeof(uint32_t)) {
        *(volatile uint32_t *)at = PAINT * 0x01010101u;
    }
}

UNCHECKED uintptr_t frames_lowest(uintptr_t top)
{
    uintptr_t at = bottom;

    while (at < top - OWN && *(const volatile uint8_t *)at == PAINT) {
        at++;
    }
    return at;
}

UNCHECKED void frames_check(uintptr_t top, uintptr_t lowest, struct frames_wiper *wiper)
{
    uintptr_t at = top - OWN;

    if (bottom == 0) {
        return;
    }
    while (at > lowest && *(const volatile uint8_t *)(at - 1) == 0) {
        at--;
    }
    if (top - lowest > wiper->used) {
        wiper->used = (uint32_t)(top - lowest);
    }
    if (at - lowest > wiper->left) {
        wiper->left = (uint32_t)(at - lowest);
    }
    frames_paint(top);
}

void wipe__frames__are_all_that_the_library_used(void)
{
    if (frames_wiper_count == 0) {
        test_skip("nothing that can be followed here");
    }
    for (size_t i = 0; i < frames_wiper_count; i++) {
        const struct frames_wiper *wiper = &frames_wipers[i];

        test_context(wiper->name, i);
        if (wiper->used == 0) {
            printf("%s: not judged, nothing of this suite calls it here\n", wiper->name);
            continue;
        }
        printf("%s: %lu bytes used, %lu left\n", wiper->name, (unsigned long)wiper->used,
               (unsigned long)wiper->left);
        CHECK(wiper->left == 0);
    }
    test_context(NULL, 0);
}
