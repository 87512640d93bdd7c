/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode is one client. Machine mode can read and write everything that no locked entry denies
 * it, so that the checks of access.h are the only ones of buffers. No interrupt is enabled: one
 * call ends before another begins.
 */
#include <corral/bindings.h>

#include "../../trusted/serve.h"
#include "../../trusted/transport.h"
#include "../trap.h"
#include "start.h"

_Static_assert(sizeof(struct corral_wall_frame) == 16, "the trap knows where what is kept");

psa_status_t corral_wall_answer(uintptr_t argument, uintptr_t number);

/* Dispatch of an ECALL; unknown numbers are rejected. */
__attribute__((used)) psa_status_t corral_wall_answer(uintptr_t argument, uintptr_t number)
{
    if (number == CORRAL_WALL_ASK_TO_ENTER) { /* as all but the first do */
        return corral_wall_serve(CORRAL_WALL_ONLY_CLIENT, (struct corral_wall_call *)argument);
    }
    if (number != CORRAL_WALL_ASK_TO_MEET) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return argument == CORRAL_CONFIG_HASH ? corral_wall_forget(CORRAL_WALL_ONLY_CLIENT)
                                          : PSA_ERROR_COMMUNICATION_FAILURE;
}

/*
 * Out of user mode nothing but the call's own cause (8) goes on; out of machine mode, where
 * mscratch is 0, nothing does. The stack is then used from its beginning: it may be what is at
 * fault. Until the second csrrw mscratch is the client's stack: nothing here traps so early, and a
 * non-maskable interrupt must not come this way. Registers that functions preserve (s0
 * to s11) and that this side does not use (gp) stay unchanged.
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
