/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this memory is a copy. A page that the kernel gives to a new process as zeros tells that,
 * whichever call made the process: no handler has to run, and an identifier of a process that comes
 * round again does not deceive. Where a Linux machine has a VMClock, its generation tells that the
 * machine was resumed from a snapshot.
 */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include <corral/port.h>

#define VMCLOCK "/dev/vmclock0"
#define VMCLOCK_MAGIC 0x4b4c4356u

/* What the machine shows of its clock (VMClock, version 1, little-endian). */
struct vmclock {
    uint32_t magic;
    uint32_t size;
    uint32_t version_and_kinds;
    uint32_t updates;
    uint64_t disruption; /* changes when the machine was moved */
    uint8_t clock[80];
    uint64_t generation; /* changes when it was resumed from a snapshot */
};

#define NOT_MAPPED ((volatile uint32_t *)NULL)

static volatile uint32_t *mark; /* 1, and 0 in a copy */
static const volatile struct vmclock *machine;
static uint64_t seen_generation;
static uint64_t seen_disruption;
static bool is_looked_for;
static uint32_t number;

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

static const volatile struct vmclock *map_machine(void)
{
    const int file = open(VMCLOCK, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    struct vmclock *found = mmap(NULL, sizeof *found, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (found == MAP_FAILED) {
        return NULL;
    }
    if (found->magic != VMCLOCK_MAGIC || found->size < sizeof *found) {
        munmap(found, sizeof *found);
        return NULL;
    }
    return found;
}

static bool is_resumed(void)
{
    if (machine == NULL) {
        return false;
    }
    const uint64_t generation = machine->generation;
    const uint64_t disruption = machine->disruption;
    const bool is_changed = generation != seen_generation || disruption != seen_disruption;
    seen_generation = generation;
    seen_disruption = disruption;
    return is_changed;
}

uint32_t corral_port_generation(void)
{
    if (!is_looked_for) {
        is_looked_for = true;
        mark = map_mark();
        machine = map_machine();
    }
    const bool is_other_machine = is_resumed();
    if (mark == NOT_MAPPED || *mark == 0 || is_other_machine) {
        number++;
        if (mark != NOT_MAPPED) {
            *mark = 1;
        }
    }
    return number;
}
