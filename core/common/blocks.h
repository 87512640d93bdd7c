/* SPDX-License-Identifier: Apache-2.0 */
/* Wiping as corral_wipe() does, of whole blocks that are aligned, where a call is too long. */
#ifndef CORRAL_CORE_COMMON_BLOCKS_H
#define CORRAL_CORE_COMMON_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include <corral/driver.h>

/* 32 bytes are what cryptography is made of. */
#define CORRAL_BLOCK 32u

/*
 * Overwrite the blocks from `at` up to `end` with zeros, in a way that the compiler does not
 * remove. `at` is aligned as a word, and `end` is any number of blocks behind it. Returns `end`.
 */
static inline uint8_t *corral_wipe_blocks(uint8_t *at, const uint8_t *end);

#if defined(__GNUC__) && defined(__arm__)
/* C has no store of several registers. */
static inline uint8_t *corral_wipe_blocks(uint8_t *at, const uint8_t *end)
{
    register uint32_t a __asm__("r2") = 0;
    register uint32_t b __asm__("r3") = 0;
    register uint32_t c __asm__("r4") = 0;
    register uint32_t d __asm__("r5") = 0;

    __asm__ volatile("b 1f\n"
                     "0:\n\t"
                     "stmia %0!, {%2, %3, %4, %5}\n\t"
                     "stmia %0!, {%2, %3, %4, %5}\n\t"
                     "1:\n\t"
                     "cmp %0, %1\n\t"
                     "bne 0b"
                     : "+&l"(at)
                     : "l"(end), "l"(a), "l"(b), "l"(c), "l"(d)
                     : "cc", "memory");
    return at;
}
#elif defined(__GNUC__) && UINTPTR_MAX > 0xffff && UINTPTR_MAX <= 0xffffffff
typedef uint32_t __attribute__((__may_alias__)) corral_block_word;

static inline uint8_t *corral_wipe_blocks(uint8_t *at, const uint8_t *end)
{
    for (; at != end; at += CORRAL_BLOCK) {
        volatile corral_block_word *const words = (volatile corral_block_word *)(volatile void *)at;
        words[0] = 0;
        words[1] = 0;
        words[2] = 0;
        words[3] = 0;
        words[4] = 0;
        words[5] = 0;
        words[6] = 0;
        words[7] = 0;
    }
    return at;
}
#else
static inline uint8_t *corral_wipe_blocks(uint8_t *at, const uint8_t *end)
{
    const size_t size = (size_t)(end - at);

    corral_wipe(at, size);
    return at + size;
}
#endif

#endif
