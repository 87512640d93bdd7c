/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/driver.h>

#if defined(__GNUC__)
/* Makes the compiler believe that the buffer is read afterwards, so that the writes stay. */
#define KEEP_WRITES(buffer) __asm__ __volatile__("" : : "r"(buffer) : "memory")

typedef uintptr_t __attribute__((__may_alias__)) word;

/* Four words a round: the memset() of a small C library takes four instructions for each byte. */
void corral_wipe(void *buffer, size_t size)
{
    uint8_t *byte = buffer;

    while (size > 0 && (uintptr_t)byte % sizeof(word) != 0) {
        *byte++ = 0;
        size--;
    }
    for (; size >= 4 * sizeof(word); size -= 4 * sizeof(word)) {
        word *const words = (word *)(void *)byte;
        words[0] = 0;
        words[1] = 0;
        words[2] = 0;
        words[3] = 0;
        byte += 4 * sizeof(word);
    }
    while (size > 0) {
        *byte++ = 0;
        size--;
    }
    KEEP_WRITES(buffer);
}
#else
void corral_wipe(void *buffer, size_t size)
{
    volatile uint8_t *byte = buffer;

    while (size-- > 0) {
        *byte++ = 0;
    }
}
#endif

bool corral_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
    /* volatile: a compiler that sees the first difference must not be able to stop there. */
    volatile uint8_t difference = 0;

    for (size_t i = 0; i < size; i++) {
        difference = (uint8_t)(difference | (a[i] ^ b[i]));
    }
    return difference == 0;
}
