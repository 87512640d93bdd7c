/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/driver.h>

#if defined(__GNUC__)
/* Makes the compiler believe that the buffer is read afterwards, so that the writes stay. */
#define KEEP_WRITES(buffer) __asm__ __volatile__("" : : "r"(buffer) : "memory")

void corral_wipe(void *buffer, size_t size)
{
    if (size > 0) {
        memset(buffer, 0, size);
        KEEP_WRITES(buffer);
    }
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
