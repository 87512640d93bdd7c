/* SPDX-License-Identifier: Apache-2.0 */
#include "heap.h"

#include <stdint.h>
#include <string.h>

static size_t in_use;
static size_t most;

/* Before each block; aligned for all that one may hold. */
union head {
    size_t size;
    uint64_t number;
};

/* Called by the assembler, and by the linker's redirection. */
uint32_t heap_saved[2]; /* the return address, the size */
void *heap_count(union head *head, size_t size);
void __real_free(void *block);
void __wrap_free(void *block);

size_t heap_in_use(void)
{
    return in_use;
}

size_t heap_most(void)
{
    const size_t found = most;

    most = in_use;
    return found;
}

#if defined(__thumb__)
/* A block that malloc() has given, empty as calloc() has it. */
void *heap_count(union head *head, size_t size)
{
    if (head == NULL) {
        return NULL;
    }
    head->size = size;
    in_use += size;
    most = in_use > most ? in_use : most;
    return memset(head + 1, 0, size);
}

void __wrap_free(void *block)
{
    if (block != NULL) {
        union head *const head = (union head *)block - 1;

        in_use -= head->size;
        __real_free(head);
    }
}

/* As the C library's own, neither takes stack in front of malloc(), which is measured, too. */
__asm__(".text\n.syntax unified\n.thumb\n.thumb_func\n"
        ".globl __wrap_calloc\n.type __wrap_calloc, %function\n"
        "__wrap_calloc:\n"
        "    muls r0, r1\n"
        ".thumb_func\n.globl __wrap_malloc\n.type __wrap_malloc, %function\n"
        "__wrap_malloc:\n"
        "    ldr r2, =heap_saved\n"
        "    strd lr, r0, [r2]\n"
        "    adds r0, #8\n"
        "    bl __real_malloc\n"
        "    ldr r2, =heap_saved\n"
        "    ldrd lr, r1, [r2]\n"
        "    b.w heap_count\n"
        "    .ltorg\n"
        ".size __wrap_malloc, . - __wrap_malloc\n");
#endif
