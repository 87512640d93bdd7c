/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include <string.h>

#include "buffers.h"
#include "harness.h"

#define WINDOW 8u
#define INNER_PAD 0x36 /* of HMAC */
#define OUTER_PAD 0x5c
/*
 * AddressSanitizer makes frames several times as large, so residues of libraries are in
 * other places than in a product. The stack is therefore only judged on the board.
 */
#if defined(__SANITIZE_ADDRESS__)
#define STACK_DEPTH 0u
#else
#define STACK_DEPTH 32768u
#endif

/* Bounds of .data and .bss, from the linker script. */
extern uint8_t __data_start[];
extern uint8_t _end[];

/* The scan reads free memory: not for the sanitizers to judge. */
#if defined(__clang__)
#define UNCHECKED __attribute__((noinline, no_sanitize("address", "undefined")))
#else
#define UNCHECKED __attribute__((noinline, no_sanitize_address, no_sanitize_undefined))
#endif

/* Every window differs from the pattern in memory by this, so that no copy of it is made. */
#define MASK 0x5a

/* Which byte of a window comes at which place: as it is, or turned around in words. */
static const uint8_t turns[] = {0, 3, 7};

/* Which pairs of bytes begin a window: most places are passed with one look at it. */
static uint8_t pairs[65536 / 8];

/* True if a window is at a place, under a mask and turned. */
static UNCHECKED bool window_stands(const volatile uint8_t *place, const volatile uint8_t *window,
                                    uint8_t mask, uint8_t turn)
{
    size_t equal = 0;

    while (equal < WINDOW && (place[equal] ^ MASK) == (window[equal ^ turn] ^ mask)) {
        equal++;
    }
    return equal == WINDOW;
}

/* True if any window of the secret is at a place. */
static UNCHECKED bool place_holds(const volatile uint8_t *place, const uint8_t *secret, size_t size,
                                  uint8_t mask)
{
    for (size_t turn = 0; turn < sizeof turns; turn++) {
        for (size_t i = 0; i + WINDOW <= size; i++) {
            if (window_stands(place, secret + i, mask, turns[turn])) {
                return true;
            }
        }
    }
    return false;
}

static UNCHECKED void note_pairs(const uint8_t *secret, size_t size, uint8_t pad)
{
    for (size_t i = 0; i < sizeof pairs; i++) {
        pairs[i] = 0;
    }
    for (size_t turn = 0; turn < sizeof turns; turn++) {
        for (size_t i = 0; i + WINDOW <= size; i++) {
            const unsigned first = (unsigned)secret[i + turns[turn]] ^ pad;
            const unsigned second = (unsigned)secret[i + (1u ^ turns[turn])] ^ pad;
            const unsigned pair = first | second << 8;
            pairs[pair / 8] |= (uint8_t)(1u << pair % 8);
        }
    }
}

/* Address in the frame of the caller; its own function, so that the scan is below it. */
static UNCHECKED const volatile uint8_t *stack_position(void)
{
    return (const volatile uint8_t *)__builtin_frame_address(0);
}

/* Look for windows of the secret under a mask, and turned, in one region. */
static UNCHECKED bool search(const volatile uint8_t *start, size_t region, const uint8_t *secret,
                             size_t size, uint8_t pad)
{
    if (region < WINDOW) {
        return false;
    }
    for (size_t i = 0; i + WINDOW <= region; i++) {
        const unsigned pair = start[i] | (unsigned)start[i + 1] << 8;
        if ((pairs[pair / 8] >> pair % 8 & 1) == 0 ||
            !place_holds(start + i, secret, size, (uint8_t)(MASK ^ pad))) {
            continue;
        }
        const size_t skip = test_buffers_skip(start + i);
        if (skip == 0) {
            return true;
        }
        i += skip;
    }
    return false;
}

static UNCHECKED bool holds(const volatile uint8_t *start, size_t region, const uint8_t *secret,
                            size_t size, uint8_t pad)
{
    note_pairs(secret, size, pad);
    const bool found = search(start, region, secret, size, pad);
    memset(pairs, 0, sizeof pairs); /* which say something of the secret, too */
    return found;
}

UNCHECKED bool test_stack_holds(const uint8_t *secret, size_t size)
{
    const volatile uint8_t *top = stack_position();

    return holds(top - STACK_DEPTH, STACK_DEPTH, secret, size, 0) ||
           holds(top - STACK_DEPTH, STACK_DEPTH, secret, size, INNER_PAD) ||
           holds(top - STACK_DEPTH, STACK_DEPTH, secret, size, OUTER_PAD);
}

UNCHECKED bool test_memory_holds(const uint8_t *secret, size_t size)
{
    const volatile uint8_t *top = stack_position();

    return holds(__data_start, (size_t)(_end - __data_start), secret, size, 0) ||
           holds(top - STACK_DEPTH, STACK_DEPTH, secret, size, 0);
}
