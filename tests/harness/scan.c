/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include "buffers.h"
#include "harness.h"

#define WINDOW 8u
/*
 * Where AddressSanitizer makes frames several times as large, what libraries leave behind lies
 * elsewhere than in a product: there the stack is not judged, but on the board it is.
 */
#if defined(__SANITIZE_ADDRESS__)
#define STACK_DEPTH 0u
#else
#define STACK_DEPTH 32768u
#endif

/* Bounds of .data and .bss, from the linker script. */
extern uint8_t __data_start[];
extern uint8_t _end[];

/* The scan reads what belongs to nobody any more: not for the sanitizers to judge. */
#if defined(__clang__)
#define UNCHECKED __attribute__((noinline, no_sanitize("address", "undefined")))
#else
#define UNCHECKED __attribute__((noinline, no_sanitize_address, no_sanitize_undefined))
#endif

/* Every window differs from the pattern in memory by this, so that no copy of it is made. */
#define MASK 0x5a

static UNCHECKED bool region_holds(const volatile uint8_t *start, size_t size,
                                   const volatile uint8_t *window)
{
    const uint8_t first = (uint8_t)(window[0] ^ MASK);

    for (size_t i = 0; i + WINDOW <= size; i++) {
        size_t equal = 0;
        if ((start[i] ^ MASK) != first) {
            continue;
        }
        while (equal < WINDOW && (start[i + equal] ^ MASK) == (window[equal] ^ MASK)) {
            equal++;
        }
        const size_t skip = equal == WINDOW ? test_buffers_skip(start + i) : 0;
        if (equal == WINDOW && skip == 0) {
            return true;
        }
        i += skip;
    }
    return false;
}

/* Address in the frame of the caller; its own function, so that the scan is below it. */
static UNCHECKED const volatile uint8_t *stack_position(void)
{
    return (const volatile uint8_t *)__builtin_frame_address(0);
}

UNCHECKED bool test_memory_holds(const uint8_t *secret, size_t size)
{
    const volatile uint8_t *top = stack_position();

    for (size_t i = 0; i + WINDOW <= size; i++) {
        if (region_holds(__data_start, (size_t)(_end - __data_start), secret + i) ||
            region_holds(top - STACK_DEPTH, STACK_DEPTH, secret + i)) {
            return true;
        }
    }
    return false;
}
