/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode is one client. Machine mode can read and write everything that no locked entry denies
 * it, so that the checks here are the only ones of buffers. No interrupt is enabled: one call ends
 * before another begins.
 */
#include <corral/bindings.h>
#include <corral/driver.h>

#include "../../trusted/serve.h"
#include "../../trusted/transport.h"
#include "../trap.h"
#include "start.h"

/* The only one. */
#define CLIENT 1u

_Static_assert(sizeof(struct corral_wall_frame) == 16, "the trap knows where what is kept");

psa_status_t corral_wall_answer(uintptr_t argument, uintptr_t number);

/* What an ECALL asks for; what else is asked is refused. */
__attribute__((used)) psa_status_t corral_wall_answer(uintptr_t argument, uintptr_t number)
{
    switch (number) {
    case CORRAL_WALL_ASK_TO_MEET:
        return argument == CORRAL_CONFIG_HASH ? corral_wall_forget(CLIENT)
                                              : PSA_ERROR_COMMUNICATION_FAILURE;
    case CORRAL_WALL_ASK_TO_ENTER:
        return corral_wall_serve(CLIENT, (struct corral_wall_call *)argument);
    default:
        return PSA_ERROR_NOT_SUPPORTED;
    }
}

/*
 * Out of user mode nothing but the call's own cause (8) goes on; out of machine mode, where
 * mscratch is 0, nothing does. The stack is then used from its beginning: it may be what is at
 * fault. Until the second csrrw mscratch is the client's stack: nothing here traps so early, and a
 * non-maskable interrupt must not come this way. What functions keep by themselves (s0 to s11) and
 * what this side does not use (gp) stays in its registers.
 */
__attribute__((naked, aligned(4))) void corral_wall_trap(void)
{
    __asm__ volatile("csrrw sp, mscratch, sp\n\t"
                     "beqz sp, 1f\n\t"
                     "sw ra, 8(sp)\n\t"
                     "sw tp, 12(sp)\n\t"
                     "csrrw ra, mscratch, zero\n\t"
                     "sw ra, 4(sp)\n\t"
                     "lw tp, 0(sp)\n\t"
                     "csrr ra, mcause\n\t"
                     "addi ra, ra, -8\n\t"
                     "bnez ra, 1f\n\t"
                     "mv a1, a7\n\t"
                     "call corral_wall_answer\n\t"
                     "csrr t0, mepc\n\t"
                     "addi t0, t0, 4\n\t"
                     "csrw mepc, t0\n\t"
                     "li t0, 0x1800\n\t" /* of mstatus, MPP: the mode to return to is user mode */
                     "csrc mstatus, t0\n\t"
                     "csrw mscratch, sp\n\t"
                     "lw ra, 8(sp)\n\t"
                     "lw tp, 12(sp)\n\t"
                     "lw sp, 4(sp)\n\t"
                     "li t0, 0\n\tli t1, 0\n\tli t2, 0\n\tli t3, 0\n\t"
                     "li t4, 0\n\tli t5, 0\n\tli t6, 0\n\t"
                     "li a1, 0\n\tli a2, 0\n\tli a3, 0\n\tli a4, 0\n\t"
                     "li a5, 0\n\tli a6, 0\n\tli a7, 0\n\t"
                     "mret\n"
                     "1:\n\t"
                     "csrw mscratch, zero\n\t"
                     "la sp, stack_top\n\t"
                     "call corral_wall_fault");
}

/* Whether all of a buffer is in one range of memory. */
static bool is_in(const void *buffer, size_t length, bool is_written)
{
    for (size_t i = 0; i < corral_wall_range_count; i++) {
        const struct corral_wall_range *const range = &corral_wall_ranges[i];
        const bool is_open =
            range->kind == CORRAL_WALL_DATA || (range->kind == CORRAL_WALL_CODE && !is_written);
        if (is_open && corral_wall_region_holds(&range->region, buffer, length)) {
            return true;
        }
    }
    return false;
}

typedef uint32_t __attribute__((__may_alias__)) word;

/* corral_copy(), which asks the C library for each word where words have to be aligned, with more
 * at once, since 32 bytes are what cryptography is made of. Always true. */
static bool copy(void *to, const void *from, size_t length)
{
    if (((uintptr_t)to | (uintptr_t)from | length) % sizeof(word) != 0) {
        corral_copy(to, from, length);
        return true;
    }
    word *target = to;
    const word *source = from;
    const word *const end = source + length / sizeof(word);
    for (; end - source >= 8; source += 8, target += 8) {
        target[0] = source[0];
        target[1] = source[1];
        target[2] = source[2];
        target[3] = source[3];
        target[4] = source[4];
        target[5] = source[5];
        target[6] = source[6];
        target[7] = source[7];
    }
    while (source != end) {
        *target++ = *source++;
    }
    return true;
}

bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t length)
{
    return client == CLIENT && is_in(from, length, false) && copy(to, from, length);
}

bool corral_wall_accepts(corral_owner_t client, const void *to, size_t length)
{
    return client == CLIENT && is_in(to, length, true);
}

bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t length)
{
    return corral_wall_accepts(client, to, length) && copy(to, from, length);
}

static bool is_aligned(const struct corral_wall_call *message)
{
    return (uintptr_t)message % _Alignof(struct corral_wall_call) == 0;
}

bool corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                            const struct corral_wall_call *from)
{
    return is_aligned(from) && corral_wall_accepts(client, from, sizeof *from) &&
           copy(to, from, sizeof *to);
}

bool corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                               const struct corral_wall_reply *from)
{
    return is_aligned(to) && corral_wall_deliver(client, &to->reply, from, sizeof *from);
}
