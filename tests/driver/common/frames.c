/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <stdio.h>

#include "../../harness/harness.h"
#include "heap.h"
#include "subject.h"

#define PAINT 0xa5a5a5a5u
/* Deeper than any driver goes when its frames are judged here: frames_check() sees to that. */
#define DEPTH 16384u
/* Every call marks and looks through all of that: eight words at a time. */
#define BLOCK 32u
/* The registers that the function itself saves, above what it overwrites. */
#define OWN 16u
/* The margin of stack.h beyond the used stack. */
#define SPARE 8u
#define MAX_LEVELS 8u

/* A call that has not returned. Calls of the driver may lie in one another, by way of dispatch. */
struct level {
    struct frames_probe *probe;
    uintptr_t back; /* where it returns to */
    uintptr_t top;
    uintptr_t lowest;  /* how far down was written since its frames were overwritten last */
    uintptr_t deepest; /* and ever */
    size_t heap;       /* in use when it was entered */
    size_t most_heap;  /* and since */
};

static struct level levels[MAX_LEVELS];
static size_t level_count;
/* Where the marked stack of the outermost call begins, and that of all in it. */
static uintptr_t bottom;

/* Also used by the assembler. */
_Alignas(8) uint32_t frames_stack[256];
uint32_t frames_wiping[3]; /* the stack pointer of the caller, the row, the return address */

/* The free stack: not for a compiler to reason about. */
#define UNCHECKED __attribute__((noinline, no_sanitize_address, no_sanitize_undefined))

void frames_enter(uintptr_t top, struct frames_probe *probe, uintptr_t back);
uintptr_t frames_leave(uintptr_t top);
uintptr_t frames_find(void);
void frames_mark(uintptr_t top);
void frames_check(uintptr_t top, struct frames_wiper *wiper);

/* Mark the stack from `at` to below `top`. */
static UNCHECKED void paint(uintptr_t at, uintptr_t top)
{
    for (; at < top && (top - at) % BLOCK != 0; at += sizeof(uint32_t)) {
        *(volatile uint32_t *)at = PAINT;
    }
    for (; at < top; at += BLOCK) {
        volatile uint32_t *const w = (volatile uint32_t *)at;
        w[0] = PAINT;
        w[1] = PAINT;
        w[2] = PAINT;
        w[3] = PAINT;
        w[4] = PAINT;
        w[5] = PAINT;
        w[6] = PAINT;
        w[7] = PAINT;
    }
}

/* The level of the driver that is at work; NULL: the generator is, or none. */
static struct level *current(void)
{
    struct level *const level = &levels[level_count - 1];

    return level_count == 0 || level->probe->is_generator != 0 ? NULL : level;
}

static void lower(struct level *level, uintptr_t lowest, uintptr_t deepest)
{
    level->lowest = lowest < level->lowest ? lowest : level->lowest;
    level->deepest = deepest < level->deepest ? deepest : level->deepest;
}

static uint32_t larger(uint32_t one, size_t other)
{
    return other > one ? (uint32_t)other : one;
}

/* Note how much of the heap the innermost call has had so far. */
static void note_heap(void)
{
    const size_t most = heap_most();

    if (level_count > 0) {
        struct level *const level = &levels[level_count - 1];
        level->most_heap = most > level->most_heap ? most : level->most_heap;
    }
}

/* Note in its row what the innermost call has had of the heap, which who called it had, too. */
static void leave_heap(void)
{
    const struct level *const left = &levels[level_count - 1];
    const size_t in_use = heap_in_use();

    note_heap();
    left->probe->heap = larger(left->probe->heap, left->most_heap - left->heap);
    left->probe->kept = larger(left->probe->kept, in_use > left->heap ? in_use - left->heap : 0);
    if (level_count > 1 && levels[level_count - 2].most_heap < left->most_heap) {
        levels[level_count - 2].most_heap = left->most_heap;
    }
}

/* The lowest place that was written since the stack was marked; `top` if there is none. */
static UNCHECKED uintptr_t lowest_written(uintptr_t top)
{
    uintptr_t at = bottom;

    for (; at + BLOCK <= top; at += BLOCK) {
        const volatile uint32_t *const w = (const volatile uint32_t *)at;
        const uint32_t v[] = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]};
        if ((v[0] & v[1] & v[2] & v[3] & v[4] & v[5] & v[6] & v[7]) != PAINT ||
            (v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7]) != PAINT) {
            break;
        }
    }
    while (at < top && *(const volatile uint32_t *)at == PAINT) {
        at += sizeof(uint32_t);
    }
    return at;
}

/*
 * Find how far down the driver has written, before other code writes there. Returns below
 * which place all is still marked: nothing, if it is not the driver that was at work.
 */
uintptr_t frames_find(void)
{
    struct level *const level = current();
    uintptr_t lowest = bottom;

    if (level != NULL) {
        lowest = lowest_written(level->top);
        lower(level, lowest, lowest);
    }
    return lowest;
}

void frames_enter(uintptr_t top, struct frames_probe *probe, uintptr_t back)
{
    while (level_count > 0 && levels[level_count - 1].top < top) {
        level_count--; /* left by a test that failed */
    }
    bottom = level_count == 0 ? top - DEPTH : bottom;
    const uintptr_t written = frames_find();
    REQUIRE(level_count < MAX_LEVELS && top > bottom);
    note_heap();
    const size_t heap = heap_in_use();
    levels[level_count++] = (struct level){probe, back, top, top, top, heap, heap};
    if (probe->is_generator == 0) {
        (*probe->hits)++;
        paint(written, top);
    }
}

uintptr_t frames_leave(uintptr_t top)
{
    frames_find();
    leave_heap();
    const struct level *const left = &levels[--level_count];
    struct level *const outer = current();

    if (left->probe->is_generator == 0 && top - left->deepest > left->probe->stack) {
        left->probe->stack = (uint32_t)(top - left->deepest);
    }
    if (outer != NULL && left->probe->is_generator != 0) {
        paint(bottom, top);
    } else if (outer != NULL) {
        lower(outer, left->lowest, left->deepest);
    }
    return left->back;
}

/*
 * Find how far down below `top` the driver has written, and mark that, too: the driver
 * has left nothing of bytes that are zero after this.
 */
void frames_mark(uintptr_t top)
{
    frames_find();
    const struct level *const level = current();

    if (level != NULL && level->lowest < top) {
        paint(level->lowest, top);
    }
}

/* The end of the overwritten part below `top`; `*size`: how much that is. */
static UNCHECKED uintptr_t end_of_zeros(uintptr_t top, uint32_t *size)
{
    uintptr_t at = top;

    while (at > top - OWN && *(const volatile uint32_t *)(at - 4) != 0) {
        at -= 4;
    }
    const uintptr_t begin = at;
    while (at > bottom && *(const volatile uint32_t *)(at - 4) == 0) {
        at -= 4;
    }
    *size = (uint32_t)(begin - at);
    return at;
}

/* Note whether all that was used below `top` was overwritten, and mark it again. */
UNCHECKED void frames_check(uintptr_t top, struct frames_wiper *wiper)
{
    struct level *const level = current();
    uint32_t size;

    if (level == NULL) {
        return;
    }
    const uintptr_t at = end_of_zeros(top, &size);
    if (wiper->overwritten == 0 || size < wiper->overwritten) {
        wiper->overwritten = size;
    }
    if (level->lowest < top && top - level->lowest > wiper->used) {
        wiper->used = (uint32_t)(top - level->lowest);
    }
    if (level->lowest <= bottom) { /* its depth is unknown */
        wiper->left = DEPTH;
    } else if (at > level->lowest && at - level->lowest > wiper->left) {
        wiper->left = (uint32_t)(at - level->lowest);
    }
    /* The wiper needs stack, too, which is no residue. */
    const uintptr_t written = lowest_written(top);
    lower(level, level->lowest, written);
    level->lowest = top;
    paint(written, top);
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
        "    sub r1, r12, #8\n"
        "    mov r2, lr\n"
        "    ldr r3, =frames_stack+1024\n"
        "    mov sp, r3\n"
        "    push {r12, lr}\n"
        "    bl frames_enter\n"
        "    pop {r12, lr}\n"
        "    ldr r0, [r12, #20]\n"
        "    mov sp, r0\n"
        "    ldm r12, {r0-r3}\n"
        "    ldr lr, =frames_return\n"
        "    ldr r12, [r12, #-8]\n"
        "    bx r12\n"
        "    .ltorg\n"
        ".size frames_probe, . - frames_probe\n"
        ".thumb_func\n.type frames_return, %function\n"
        "frames_return:\n"
        "    mov r2, sp\n"
        "    ldr r3, =frames_stack+1024\n"
        "    mov sp, r3\n"
        "    push {r0-r3}\n"
        "    mov r0, r2\n"
        "    bl frames_leave\n"
        "    mov r12, r0\n"
        "    pop {r0-r3}\n"
        "    mov sp, r2\n"
        "    bx r12\n"
        "    .ltorg\n"
        ".size frames_return, . - frames_return\n"
        ".thumb_func\n.globl frames_wiper\n.type frames_wiper, %function\n"
        "frames_wiper:\n"
        "    mov r0, sp\n"
        "    mov r1, r12\n"
        "    ldr r2, =frames_wiping\n"
        "    stm r2, {r0, r1, lr}\n"
        "    ldr r2, =frames_stack+1024\n"
        "    mov sp, r2\n"
        "    bl frames_mark\n"
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
        ".size frames_wiper, . - frames_wiper\n");
#endif

void wipe__frames__are_all_that_the_library_used(void)
{
    if (frames_wiper_count == 0) {
        test_skip("nothing that can be followed here");
    }
    for (size_t i = 0; i < subject_function_count; i++) {
        const unsigned long stack = frames_probes[i].stack;
        printf("%s: %s%lu bytes of stack, %lu of heap, %lu kept\n", subject_functions[i],
               stack < DEPTH ? "" : "at least ", stack, (unsigned long)frames_probes[i].heap,
               (unsigned long)frames_probes[i].kept);
    }
    for (size_t i = 0; i < frames_wiper_count; i++) {
        const struct frames_wiper *wiper = &frames_wipers[i];

        test_context(wiper->name, i);
        if (wiper->used == 0) {
            printf("%s: not judged, nothing of this suite calls it here\n", wiper->name);
            continue;
        }
        printf("%s: %lu bytes used, %lu overwritten, %lu left\n", wiper->name,
               (unsigned long)wiper->used, (unsigned long)wiper->overwritten,
               (unsigned long)wiper->left);
        CHECK(wiper->left == 0);
        CHECK(wiper->overwritten >= wiper->used + SPARE);
    }
    test_context(NULL, 0);
}
