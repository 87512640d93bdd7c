/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For drivers of libraries that leave secrets in the frames of their functions: functions that
 * overwrite the stack where these were. Call one right after the library returned, and from the
 * same function. It then covers as many bytes below its caller as the library has used, so the
 * deepest use grows only by its own frame. With link-time optimisation the sources of drivers
 * stay out of it: inlined into what calls the wiper, a library's frames would be above it.
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
 * more. It fails where a wiper overwrites less. Other levels of optimisation inline more, and
 * larger processors have larger frames, and room.
 *
 * On an ATmega2560, with or without link-time optimisation (-Os), most libraries use less. The
 * others use up to 78 bytes more, whatever their depth: a call takes up to 21 bytes there, for
 * 18 registers and the return address (tests/driver/common/test_wipers.py). So as many are
 * added, and 10 more, where pointers have 16 bits. No other such processor is measured.
 */
#if UINTPTR_MAX > 0xffff
#define CORRAL_STACK_OF_CALLS 0
#else
#define CORRAL_STACK_OF_CALLS 88
#endif

#if UINTPTR_MAX > 0xffffffff
#define CORRAL_STACK_DEPTH(bytes) (4 * (bytes))
#elif defined(__OPTIMIZE_SIZE__)
#define CORRAL_STACK_DEPTH(bytes) ((bytes) + CORRAL_STACK_OF_CALLS)
#else
#define CORRAL_STACK_DEPTH(bytes) ((bytes) + (bytes) / 4 + CORRAL_STACK_OF_CALLS)
#endif

/*
 * Vector registers keep data of a library, such as round keys if it uses AES instructions, until
 * other code overwrites them. Before that a signal's frame or the dynamic linker, when it looks a
 * function up at its first call, may put them on the stack. No function has to preserve these. On
 * AArch64 functions preserve the lower halves of v8 to v15; restoring them clears the upper ones.
 */
#if defined(__GNUC__) && defined(__x86_64__) && defined(__SSE2__) && !defined(_WIN32)
#define CORRAL_CLEAR_VECTORS()                                                                     \
    __asm__ volatile("pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\t"                              \
                     "pxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"                              \
                     "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\t"                              \
                     "pxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"                              \
                     "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\t"                              \
                     "pxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"                          \
                     "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\t"                          \
                     "pxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15"                              \
                     :                                                                             \
                     :                                                                             \
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",     \
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#elif defined(__GNUC__) && defined(__aarch64__) && defined(__ARM_NEON)
#define CORRAL_CLEAR_VECTORS()                                                                     \
    __asm__ volatile("movi v0.2d, #0\n\tmovi v1.2d, #0\n\tmovi v2.2d, #0\n\t"                      \
                     "movi v3.2d, #0\n\tmovi v4.2d, #0\n\tmovi v5.2d, #0\n\t"                      \
                     "movi v6.2d, #0\n\tmovi v7.2d, #0\n\tmovi v16.2d, #0\n\t"                     \
                     "movi v17.2d, #0\n\tmovi v18.2d, #0\n\tmovi v19.2d, #0\n\t"                   \
                     "movi v20.2d, #0\n\tmovi v21.2d, #0\n\tmovi v22.2d, #0\n\t"                   \
                     "movi v23.2d, #0\n\tmovi v24.2d, #0\n\tmovi v25.2d, #0\n\t"                   \
                     "movi v26.2d, #0\n\tmovi v27.2d, #0\n\tmovi v28.2d, #0\n\t"                   \
                     "movi v29.2d, #0\n\tmovi v30.2d, #0\n\tmovi v31.2d, #0"                       \
                     :                                                                             \
                     :                                                                             \
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", \
                       "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29",       \
                       "v30", "v31")
#else
#define CORRAL_CLEAR_VECTORS() ((void)0)
#endif

/* Defines void function(void), which overwrites what a library has left of `bytes` of stack. */
#define CORRAL_STACK_WIPER(function, bytes)                                                        \
    CORRAL_STACK_APART void function(void)                                                         \
    {                                                                                              \
        _Alignas(uintptr_t) uint8_t frames[CORRAL_STACK_DEPTH(bytes)];                             \
                                                                                                   \
        CORRAL_CLEAR_VECTORS();                                                                    \
        corral_wipe(frames, sizeof frames);                                                        \
    }

/* The same, as a static function. */
#define CORRAL_STACK_LOCAL_WIPER(function, bytes) static CORRAL_STACK_WIPER(function, bytes)

#endif
