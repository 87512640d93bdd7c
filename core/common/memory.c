/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/driver.h>

#include <stddef.h>
#include <string.h>

#include "blocks.h"

/* The C library of a small device copies and fills by the byte, at four instructions each. */
#if defined(__GNUC__) && UINTPTR_MAX > 0xffff
typedef uint32_t __attribute__((__may_alias__)) word;
#endif

#if defined(__GNUC__) && UINTPTR_MAX > 0xffffffff
/*
 * The C library of a large processor fills faster than a loop does. The empty assembly reads the
 * buffer as far as the compiler knows, so what fills it is not dead, also where this is inlined.
 */
void corral_wipe(void *buffer, size_t size)
{
    if (size > 0) {
        memset(buffer, 0, size);
    }
    __asm__ volatile("" : : "r"(buffer) : "memory");
}
#elif defined(__GNUC__) && UINTPTR_MAX > 0xffff
void corral_wipe(void *buffer, size_t size)
{
    uint8_t *at = buffer;

    if (size == 0) {
        return; /* there may be no buffer, and so no end of it */
    }
    const uint8_t *const end = at + size;
    if ((uintptr_t)at % sizeof(word) == 0) {
        at = corral_wipe_blocks(at, end - size % CORRAL_BLOCK);
        for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
            *(volatile word *)(volatile void *)at = 0;
        }
    }
    for (; at != end; at++) {
        *(volatile uint8_t *)at = 0;
    }
}
#elif defined(__GNUC__)
/*
 * With 8 bits a loop around a store costs four times the store, and a volatile one twice that. The
 * empty assembly reads the buffer as far as the compiler knows, so the stores are not dead.
 */
void corral_wipe(void *buffer, size_t size)
{
    uint8_t *byte = buffer;

    for (; size >= 8; size -= 8) {
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
        *byte++ = 0;
    }
    for (; size > 0; size--) {
        *byte++ = 0;
    }
    __asm__ volatile("" : : "r"(buffer) : "memory");
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

#if defined(__GNUC__) && UINTPTR_MAX > 0xffff
void corral_copy(void *to, const void *from, size_t size)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    const uint8_t *const end = size > 0 ? source + size : source;

    for (; end - source >= (ptrdiff_t)sizeof(word); source += sizeof(word)) {
        memcpy(target, source, sizeof(word)); /* one load and one store, or as the alignment asks */
        target += sizeof(word);
    }
    for (; source != end; source++) {
        *target++ = *source;
    }
}
#else
void corral_copy(void *to, const void *from, size_t size)
{
    if (size > 0) {
        memcpy(to, from, size);
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
