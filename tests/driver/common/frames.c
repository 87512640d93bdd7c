/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <stdio.h>

#include "../../harness/harness.h"

#define PAINT 0xa5u
/* Deeper than any driver goes. */
#define DEPTH 16384u
/* The registers that the function itself saves, above what it overwrites. */
#define OWN 16u

/* Where the marked stack begins; 0: nothing was marked yet. */
static uintptr_t bottom;

/* Also used by the assembler. */
uint32_t frames_stack[256];
uint32_t frames_wiping[3]; /* the stack pointer of the caller, the row, the return address */

/* The stack that belongs to nobody: not for a compiler to reason about. */
#define UNCHECKED __attribute__((noinline, no_sanitize_address, no_sanitize_undefined))

void frames_paint(uintptr_t top);
void frames_find(uintptr_t top, struct frames_wiper *wiper);
void frames_check(uintptr_t top, struct frames_wiper *wiper);

/* Mark the stack below `top`. */
UNCHECKED void frames_paint(uintptr_t top)
{
    bottom = top - DEPTH;
    for (uintptr_t at = bottom; at < top; at += sizeof(uint32_t)) {
        *(volatile uint32_t *)at = PAINT * 0x01010101u;
    }
}

/* Find how far down the stack below `top` was written since. */
UNCHECKED void frames_find(uintptr_t top, struct frames_wiper *wiper)
{
    uintptr_t at = bottom;

    while (at < top && *(const volatile uint8_t *)at == PAINT) {
        at++;
    }
    wiper->lowest = at;
}

/* Note whether all from there up to `top` was overwritten, and mark it again. */
UNCHECKED void frames_check(uintptr_t top, struct frames_wiper *wiper)
{
    const uintptr_t lowest = wiper->lowest;
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
    if (at > lowest && at - lowest > wiper->left) {
        wiper->left = (uint32_t)(at - lowest);
    }
    frames_paint(top);
}

#if defined(__thumb__)
/* Each gets its row in r12, and leaves no byte of its own on the caller's stack. */
__asm__(".text\n.syntax unified\n.thumb\n.thumb_func\n"
        ".globl frames_probe\n.type frames_probe, %function\n"
        "frames_probe:\n"
        "    add r12, #8\n"
        "    stm r12, {r0-r3, lr}\n"
        "    mov r0, sp\n"
        "    str r0, [r12, #20]\n"
        "    ldr r1, [r12, #-4]\n"
        "    ldr r2, [r1]\n"
        "    adds r2, #1\n"
        "    str r2, [r1]\n"
        "    ldr r1, =frames_stack+1024\n"
        "    mov sp, r1\n"
        "    push {r12, lr}\n"
        "    bl frames_paint\n"
        "    pop {r12, lr}\n"
        "    ldr r0, [r12, #20]\n"
        "    mov sp, r0\n"
        "    ldm r12, {r0-r3, lr}\n"
        "    ldr r12, [r12, #-8]\n"
        "    bx r12\n"
        "    .ltorg\n"
        ".size frames_probe, . - frames_probe\n"
        ".thumb_func\n.globl frames_wiper\n.type frames_wiper, %function\n"
        "frames_wiper:\n"
        "    mov r0, sp\n"
        "    mov r1, r12\n"
        "    ldr r2, =frames_wiping\n"
        "    stm r2, {r0, r1, lr}\n"
        "    ldr r2, =frames_stack+1024\n"
        "    mov sp, r2\n"
        "    bl frames_find\n"
        "    ldr r2, =frames_wiping\n"
        "    ldm r2, {r0, r1}\n"
        "    mov sp, r0\n"
        "    ldr r1, [r1]\n"
        "    blx r1\n"
        "    ldr r2, =frames_wiping\n"
        "    ldm r2, {r0, r1}\n"
        "    ldr r2, =frames_stack+1024\n"
        "    mov sp, r2\n"
        "    bl frames_check\n"
        "    ldr r2, =frames_wiping\n"
        "    ldm r2, {r0, r1, lr}\n"
        "    mov sp, r0\n"
        "    bx lr\n"
        "    .ltorg\n"
        ".size frames_wiper, . - frames_wiper\n"
        ".thumb_func\n.globl __wrap_corral_random\n.type __wrap_corral_random, %function\n"
        "__wrap_corral_random:\n"
        "    ldr r12, =frames_random_row\n"
        "    str lr, [r12, #4]\n"
        "    ldr r12, [r12]\n"
        "    blx r12\n"
        "    mov r1, sp\n"
        "    ldr r2, =frames_stack+1024\n"
        "    mov sp, r2\n"
        "    push {r0, r1}\n"
        "    mov r0, r1\n"
        "    bl frames_paint\n"
        "    pop {r0, r1}\n"
        "    mov sp, r1\n"
        "    ldr r12, =frames_random_row\n"
        "    ldr r12, [r12, #4]\n"
        "    bx r12\n"
        "    .ltorg\n"
        ".size __wrap_corral_random, . - __wrap_corral_random\n");
#endif

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
