/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include "copies.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOT_MAPPED ((volatile uint32_t *)NULL)

#if defined MADV_WIPEONFORK
static bool wipe_in_copies(void *page, size_t size)
{
    /* Emulators of Linux accept every advice, and ignore it. */
    return madvise(page, size, -1) != 0 && madvise(page, size, MADV_WIPEONFORK) == 0;
}
#elif defined INHERIT_ZERO
static bool wipe_in_copies(void *page, size_t size)
{
    return minherit(page, size, INHERIT_ZERO) == 0;
}
#else
static bool wipe_in_copies(void *page, size_t size)
{
    (void)page;
    (void)size;
    return false;
}
#endif

static volatile uint32_t *map_mark(void)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED) {
        return NOT_MAPPED;
    }
    if (!wipe_in_copies(page, size)) {
        munmap(page, size);
        return NOT_MAPPED;
    }
    return page;
}

bool copy_mark_set(struct copy_mark *mark)
{
    if (!mark->is_looked_for) {
        mark->is_looked_for = true;
        mark->page = map_mark();
    }
    if (mark->page != NOT_MAPPED) {
        *mark->page = 1;
    }
    mark->process = getpid();
    return mark->page != NOT_MAPPED;
}

bool copy_mark_holds(const struct copy_mark *mark)
{
    return mark->page != NOT_MAPPED ? *mark->page != 0
                                    : mark->is_looked_for && mark->process == getpid();
}
