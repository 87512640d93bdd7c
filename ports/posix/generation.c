/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A number for each copy of this memory. Where a Linux machine has a VMClock, its generation tells
 * that the machine was resumed from a snapshot.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include <corral/port.h>

#include "copies.h"

#define VMCLOCK "/dev/vmclock0"
#define VMCLOCK_MAGIC 0x4b4c4356u

/* The machine's page about its clock (VMClock, version 1, little-endian). */
struct vmclock {
    uint32_t magic;
    uint32_t size;
    uint32_t version_and_kinds;
    uint32_t updates;
    uint64_t disruption; /* changes when the machine was moved */
    uint8_t clock[80];
    uint64_t generation; /* changes when it was resumed from a snapshot */
};

static struct copy_mark mark;
static bool is_certain; /* the system tells copies apart */
static const volatile struct vmclock *machine;
static uint64_t seen_generation;
static uint64_t seen_disruption;
static bool is_looked_for;
static uint32_t number;

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
        machine = map_machine();
    }
    const bool is_other_machine = is_resumed();
    if (!is_certain || !copy_mark_holds(&mark) || is_other_machine) {
        number++;
        is_certain = copy_mark_set(&mark);
    }
    return number;
}
