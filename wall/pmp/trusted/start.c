/* SPDX-License-Identifier: Apache-2.0 */
/* The program of machine mode: it divides the machine, and starts the client in user mode. (RISC-V
 * Privileged Architecture 1.12, 3.1 and 3.7.) */
#include <stdbool.h>

#include "../../last_words.h"
#include "../trap.h"
#include "start.h"

/* Of the linker script: the lowest address of the stack. */
extern uint8_t __heap_end;

const struct corral_wall_range *corral_wall_ranges;
size_t corral_wall_range_count;
struct corral_wall_region corral_wall_ram;

int main(void);

#define READ_REGISTER(name, value) __asm__ volatile("csrr %0, " name : "=r"(value))
#define WRITE_REGISTER(name, value) __asm__ volatile("csrw " name ", %0" ::"r"(value) : "memory")

/* An entry of physical memory protection. Each is locked: it holds until reset, and for machine
 * mode, too, which executes nothing of the client's data. */
#define PMP_READ 1u
#define PMP_WRITE 2u
#define PMP_EXECUTE 4u
#define PMP_POWER_OF_TWO (3u << 3)
#define PMP_LOCKED (1u << 7)

#define ENTRIES 8u /* of 8 bits in two registers */
#define GUARD_SIZE 65536u

/* Of misa: there is supervisor mode, and with it what remembers translations and rights. */
#define HAS_SUPERVISOR (1u << ('s' - 'a'))

struct entries {
    uint32_t modes[ENTRIES / 4];
    uintptr_t addresses[ENTRIES];
    size_t count;
};

static void add(struct entries *entries, uintptr_t begin, size_t size, uint32_t rights)
{
    const size_t i = entries->count++;

    if (i >= ENTRIES || size < 8 || (size & (size - 1)) != 0 || (begin & (size - 1)) != 0) {
        corral_wall_fault();
    }
    entries->addresses[i] = begin >> 2 | (size / 8 - 1);
    entries->modes[i / 4] |= (rights | PMP_POWER_OF_TWO | PMP_LOCKED) << 8 * (i % 4);
}

static uint32_t rights_to(const struct corral_wall_range *range)
{
    return range->kind == CORRAL_WALL_CODE ? PMP_READ | PMP_EXECUTE : PMP_READ | PMP_WRITE;
}

/* Switches off entries of earlier software: of the entries besides ours, the first that matches
 * counts. A processor has none, 16 or 64 in all, and these registers if it has any. */
static bool clear_others(void)
{
    uint32_t found[2];

    WRITE_REGISTER("pmpcfg2", 0);
    WRITE_REGISTER("pmpcfg3", 0);
    READ_REGISTER("pmpcfg2", found[0]);
    READ_REGISTER("pmpcfg3", found[1]);
    return (found[0] | found[1]) == 0;
}

/* Caches of address translations hold rights, too (Privileged Architecture, 3.7.2). */
static void forget_rights(void)
{
    uint32_t extensions;

    READ_REGISTER("misa", extensions);
    if ((extensions & HAS_SUPERVISOR) != 0) {
        __asm__ volatile("sfence.vma" ::: "memory");
    }
}

/* True if the registers have taken all: a processor may have fewer, or coarser ones. */
static bool write_entries(const struct entries *entries)
{
    struct entries found = {.count = entries->count};

    WRITE_REGISTER("pmpaddr0", entries->addresses[0]);
    WRITE_REGISTER("pmpaddr1", entries->addresses[1]);
    WRITE_REGISTER("pmpaddr2", entries->addresses[2]);
    WRITE_REGISTER("pmpaddr3", entries->addresses[3]);
    WRITE_REGISTER("pmpaddr4", entries->addresses[4]);
    WRITE_REGISTER("pmpaddr5", entries->addresses[5]);
    WRITE_REGISTER("pmpaddr6", entries->addresses[6]);
    WRITE_REGISTER("pmpaddr7", entries->addresses[7]);
    WRITE_REGISTER("pmpcfg0", entries->modes[0]);
    WRITE_REGISTER("pmpcfg1", entries->modes[1]);
    READ_REGISTER("pmpaddr0", found.addresses[0]);
    READ_REGISTER("pmpaddr1", found.addresses[1]);
    READ_REGISTER("pmpaddr2", found.addresses[2]);
    READ_REGISTER("pmpaddr3", found.addresses[3]);
    READ_REGISTER("pmpaddr4", found.addresses[4]);
    READ_REGISTER("pmpaddr5", found.addresses[5]);
    READ_REGISTER("pmpaddr6", found.addresses[6]);
    READ_REGISTER("pmpaddr7", found.addresses[7]);
    READ_REGISTER("pmpcfg0", found.modes[0]);
    READ_REGISTER("pmpcfg1", found.modes[1]);
    bool is_same = found.modes[0] == entries->modes[0] && found.modes[1] == entries->modes[1];
    for (size_t i = 0; i < entries->count; i++) {
        is_same = is_same && found.addresses[i] == entries->addresses[i];
    }
    return is_same;
}

/* Whether a range is apart from those before it: buffers are looked for in each, and the processor
 * takes the first. Of two powers of two that overlap one holds the beginning of the other. */
static bool is_apart(size_t at)
{
    const struct corral_wall_region *const region = &corral_wall_ranges[at].region;

    for (size_t i = 0; i < at; i++) {
        const struct corral_wall_region *const other = &corral_wall_ranges[i].region;
        if (region->begin - other->begin < other->size ||
            other->begin - region->begin < region->size) {
            return false;
        }
    }
    return true;
}

/* The first entry permits nothing: a stack that grows into it ends the run there. It is larger
 * than the frames of functions are, of which one may begin above it and be written below. */
static void divide(void)
{
    struct entries entries = {.count = 0};

    corral_wall_ranges = corral_port_divide(&corral_wall_range_count);
    if (corral_wall_range_count == 0 || corral_wall_ranges[0].kind != CORRAL_WALL_CODE) {
        corral_wall_fault();
    }
    add(&entries, (uintptr_t)&__heap_end, GUARD_SIZE, 0);
    for (size_t i = 0; i < corral_wall_range_count; i++) {
        const struct corral_wall_range *const range = &corral_wall_ranges[i];
        if (!is_apart(i)) {
            corral_wall_fault();
        }
        add(&entries, range->region.begin, range->region.size, rights_to(range));
        if (range->kind == CORRAL_WALL_DATA) {
            corral_wall_ram = range->region;
        }
    }
    if (!clear_others() || !write_entries(&entries)) {
        corral_wall_fault();
    }
    forget_rights();
}

_Noreturn void corral_wall_fault(void)
{
    uint32_t value;

    corral_port_retake_console();
    READ_REGISTER("mcause", value);
    corral_wall_tell("\nfault: mcause ", value);
    READ_REGISTER("mepc", value);
    corral_wall_tell(", mepc ", value);
    READ_REGISTER("mtval", value);
    corral_wall_tell(", mtval ", value);
    READ_REGISTER("mstatus", value);
    corral_wall_tell(", mstatus ", value);
    corral_board_print("\n");
    corral_board_exit(255);
}

/* The stack is empty but for the frame; no register holds anything of this side. mstatus: user mode
 * comes next, with interrupts off and no floating point. */
static _Noreturn void start_client(void)
{
    register uintptr_t frame __asm__("a0") =
        (uintptr_t)stack_top - sizeof(struct corral_wall_frame);
    register uintptr_t start __asm__("a1") =
        corral_wall_ranges[0].region.begin + CORRAL_WALL_CLIENT_START;

    __asm__ volatile("sw tp, 0(a0)\n\t"
                     "csrw mscratch, a0\n\t"
                     "csrw mepc, a1\n\t"
                     "csrw mie, zero\n\t"
                     "csrw mstatus, zero\n\t"
                     "fence.i\n\t"
                     "li ra, 0\n\tli sp, 0\n\tli gp, 0\n\tli tp, 0\n\t"
                     "li t0, 0\n\tli t1, 0\n\tli t2, 0\n\tli t3, 0\n\t"
                     "li t4, 0\n\tli t5, 0\n\tli t6, 0\n\t"
                     "li s0, 0\n\tli s1, 0\n\tli s2, 0\n\tli s3, 0\n\t"
                     "li s4, 0\n\tli s5, 0\n\tli s6, 0\n\tli s7, 0\n\t"
                     "li s8, 0\n\tli s9, 0\n\tli s10, 0\n\tli s11, 0\n\t"
                     "li a0, 0\n\tli a1, 0\n\tli a2, 0\n\tli a3, 0\n\t"
                     "li a4, 0\n\tli a5, 0\n\tli a6, 0\n\tli a7, 0\n\t"
                     "mret" ::"r"(frame),
                     "r"(start)
                     : "memory");
    __builtin_unreachable();
}

int main(void)
{
    WRITE_REGISTER("mscratch", 0);
    WRITE_REGISTER("mtvec", (uintptr_t)corral_wall_trap);
    divide();
    start_client();
}
