/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For drivers of libraries that leave secrets in the frames of their functions: functions that
 * overwrite the stack where these were. Called right after the library returned, and from the same
 * function, one covers as many bytes below its caller as the library has used, so the deepest use
 * grows by its own frame alone. With link-time optimisation the sources of drivers stay out of it:
 * inlined into what calls the wiper, a library's frames would be above it.
 */
#ifndef CORRAL_STACK_H
#define CORRAL_STACK_H

#include <stdint.h>

#include <corral/driver.h>

/* Inlined into a caller, the buffer would lie beside the frames to be wiped. */
#if defined(__GNUC__)
#define CORRAL_STACK_APART __attribute__((noinline))
#else
#define CORRAL_STACK_APART
#endif

/*
 * Depths are measured on a Cortex-M4 with -Os: the most that the suite of the driver finds used on
 * mps2-an386 when a wiper is called (tests/driver/common/frames.h; it prints that), and 8 bytes
 * more. It fails if a wiper does not reach so far. Other levels of optimisation inline more, and
 * larger processors have larger frames, and room.
 */
#if UINTPTR_MAX > 0xffffffff
#define CORRAL_STACK_DEPTH(bytes) (4 * (bytes))
#elif defined(__OPTIMIZE_SIZE__)
#define CORRAL_STACK_DEPTH(bytes) (bytes)
#else
#define CORRAL_STACK_DEPTH(bytes) ((bytes) + (bytes) / 4)
#endif

/* Defines void function(void), which overwrites what a library has left of `bytes` of stack. */
#define CORRAL_STACK_WIPER(function, bytes)                                                        \
    CORRAL_STACK_APART void function(void)                                                         \
    {                                                                                              \
        _Alignas(uintptr_t) uint8_t frames[CORRAL_STACK_DEPTH(bytes)];                             \
                                                                                                   \
        corral_wipe(frames, sizeof frames);                                                        \
    }

/* The same, as a static function. */
#define CORRAL_STACK_LOCAL_WIPER(function, bytes) static CORRAL_STACK_WIPER(function, bytes)

#endif
