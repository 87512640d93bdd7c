/* SPDX-License-Identifier: Apache-2.0 */
/* The secure program: it divides the machine, and starts the client's. Armv8-M, D1.2. */
#include <stdbool.h>

#include <corral/board.h>

#include "../../last_words.h"
#include "../division.h"
#include "start.h"

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define VTOR REGISTER(0xe000ed08)
#define VTOR_NS REGISTER(0xe002ed08)

/* Application interrupt and reset control: faults stay secure, the client's exceptions have the
 * lower half of the priorities, and it cannot reset the machine. */
#define AIRCR REGISTER(0xe000ed0c)
#define AIRCR_WRITE (0x05fau << 16 | 1u << 14 | 1u << 3)

#define SAU_CTRL REGISTER(0xe000edd0)
#define SAU_TYPE REGISTER(0xe000edd4)
#define SAU_TYPE_REGIONS 0xffu
#define SAU_RNR REGISTER(0xe000edd8)
#define SAU_RBAR REGISTER(0xe000eddc)
#define SAU_RLAR REGISTER(0xe000ede0)
#define SAU_ENABLE 1u
#define SAU_CALLABLE 2u

/* The floating-point unit belongs to this side, which does not use it. */
#define NSACR REGISTER(0xe000ed8c)

/* Debug of this side is selected by its own register, and off. */
#define DAUTHCTRL REGISTER(0xe000ee04)
#define DAUTHCTRL_SPIDENSEL (1u << 0)
#define DAUTHCTRL_SPNIDENSEL (1u << 2)

/* The cause, for readers of the last words of a run. */
#define CFSR REGISTER(0xe000ed28)
#define CFSR_NS REGISTER(0xe002ed28)
#define BFAR REGISTER(0xe000ed38)
#define SFSR REGISTER(0xe000ede4)
#define SFAR REGISTER(0xe000ede8)

/* Of the linker script: the stack ends there, or the heap would be overwritten. */
extern uint8_t __heap_end;

int main(void);

/* No return address, no EXC_RETURN and no integrity signature: a return to this value faults. */
#define SEAL 0xfef5eda5u
static _Alignas(8) const uint32_t sealed[2] = {SEAL, SEAL};

/* Reached by the client or by this side: nothing goes on. Of the stacks it tells how much of the
 * main one is in use, and both seals. */
__attribute__((used)) static _Noreturn void stop(uint32_t main_stack)
{
    const uintptr_t top = (uintptr_t)&stack_top;
    const uint32_t *const main_seal = (const uint32_t *)(top - CORRAL_WALL_SEAL_SIZE);
    const uint32_t *process_stack;

    __asm__ volatile("mrs %0, psp" : "=r"(process_stack));
    corral_port_retake_console();
    corral_wall_tell("\nfault: SFSR ", SFSR);
    corral_wall_tell(", SFAR ", SFAR);
    corral_wall_tell(", CFSR ", CFSR);
    corral_wall_tell(", BFAR ", BFAR);
    corral_wall_tell(", CFSR_NS ", CFSR_NS);
    corral_wall_tell(", stack ", (uint32_t)top - main_stack);
    corral_wall_tell(", seals ", *main_seal);
    corral_wall_tell(" ", *process_stack);
    corral_board_print("\n");
    corral_board_exit(255);
}

/* The stack may be what is at fault: the seal stays, and all else of it is used again. */
__attribute__((naked)) _Noreturn void corral_wall_fault(void)
{
    __asm__ volatile("cpsid i\n\t"
                     "mrs r0, msp\n\t"
                     "ldr r1, =stack_top - 8\n\t"
                     "msr msp, r1\n\t"
                     "b stop");
}

#define FAULT corral_wall_fault
#define FOUR_FAULTS FAULT, FAULT, FAULT, FAULT

/* No secure interrupt is enabled. A table of 16 is aligned to 128. */
static _Alignas(128) void (*const vectors[16])(void) = {
    NULL, FAULT, FAULT, FAULT, FOUR_FAULTS, FOUR_FAULTS, FOUR_FAULTS,
};

/* Whether a range does not overlap those before it: an overlap would be secure, and a
 * buffer around it would begin and end in one region of the client's. */
static bool is_apart(const struct corral_wall_range *ranges, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (ranges[at].begin < ranges[i].end && ranges[i].begin < ranges[at].end) {
            return false;
        }
    }
    return true;
}

/* The number is free, and of a region that there is. */
static void set_region(size_t number, const struct corral_wall_range *range)
{
    const uint32_t callable = range->kind == CORRAL_WALL_ENTRIES ? SAU_CALLABLE : 0;

    if (number >= (SAU_TYPE & SAU_TYPE_REGIONS)) {
        corral_wall_fault();
    }
    SAU_RNR = (uint32_t)number;
    SAU_RBAR = range->begin;
    SAU_RLAR = (range->end - 32u) | callable | SAU_ENABLE;
}

/* The processor's answer for an address includes the number of its region, which
 * identifies its kind: memory has the odd ones, and all else the even ones. */
static void divide(void)
{
    size_t count;
    size_t memory = CORRAL_WALL_IS_MEMORY;
    size_t other = 0;
    const struct corral_wall_range *const ranges = corral_port_divide(&count);
    const size_t regions = SAU_TYPE & SAU_TYPE_REGIONS;

    if (ranges == NULL) {
        corral_wall_fault();
    }
    for (size_t i = 0; i < regions; i++) {
        SAU_RNR = (uint32_t)i;
        SAU_RLAR = 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t *const next = ranges[i].kind == CORRAL_WALL_MEMORY ? &memory : &other;
        if (!is_apart(ranges, i)) {
            corral_wall_fault();
        }
        set_region(*next, &ranges[i]);
        *next += 2;
    }
    SAU_CTRL = SAU_ENABLE;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* Both stacks are empty but for a seal, and have their limits; no register holds anything of this
 * side. */
static _Noreturn void start_client(void)
{
    __asm__ volatile(
        "msr msplim, %[limit]\n\t"
        "msr psplim, %[sealed]\n\t"
        "msr psp, %[sealed]\n\t"
        "msr msp_ns, %[stack]\n\t"
        "msr msp, %[top]\n\t"
        "mov lr, %[start]\n\t"
        "mov r2, %[seal]\n\t"
        "mov r3, r2\n\t"
        "push {r2, r3}\n\t"
        "mov r0, #0\n\t"
        "mov r1, r0\n\tmov r2, r0\n\tmov r3, r0\n\tmov r4, r0\n\t"
        "mov r5, r0\n\tmov r6, r0\n\tmov r7, r0\n\tmov r8, r0\n\t"
        "mov r9, r0\n\tmov r10, r0\n\tmov r11, r0\n\tmov r12, r0\n\t"
        "msr apsr_nzcvq, r0\n\t"
        "bxns lr"
        :
        : [limit] "r"(&__heap_end), [sealed] "r"(sealed), [stack] "r"(client_vectors[0]),
          [start] "r"(client_vectors[1] & ~1u), [seal] "r"(SEAL), [top] "r"(&stack_top)
        : "r2", "r3", "lr", "memory");
    __builtin_unreachable();
}

int main(void)
{
    VTOR = (uint32_t)(uintptr_t)vectors;
    AIRCR = AIRCR_WRITE;
    NSACR = 0;
    DAUTHCTRL = DAUTHCTRL_SPIDENSEL | DAUTHCTRL_SPNIDENSEL;
    divide();
    VTOR_NS = (uint32_t)(uintptr_t)client_vectors;
    start_client();
}
