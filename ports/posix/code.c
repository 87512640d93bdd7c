/* SPDX-License-Identifier: Apache-2.0 */
/* The code of the program or shared library that this is part of, wherever the system loaded it. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <link.h>
#include <stdbool.h>

#include "../common/code.h"

struct loaded {
    uintptr_t inside; /* an address in the code */
    const uint8_t *code;
    size_t size;
};

/* For each object in the process: non-zero ends the search. */
static int look_at(struct dl_phdr_info *object, size_t info_size, void *context)
{
    struct loaded *const loaded = context;

    (void)info_size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const segment = &object->dlpi_phdr[i];
        const uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        const bool is_code = segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0;
        if (is_code && loaded->inside - begin < segment->p_memsz) {
            loaded->code = (const uint8_t *)begin;
            loaded->size = segment->p_memsz;
            return 1;
        }
    }
    return 0;
}

const uint8_t *program_code(size_t *size)
{
    struct loaded loaded = {.inside = (uintptr_t)program_code};

    dl_iterate_phdr(look_at, &loaded);
    *size = loaded.size;
    return loaded.code;
}
