/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the trap for both sides: by ECALL, number in a7, argument and status in a0.
 * All other registers that a call need not keep (RISC-V ELF psABI, 1.1) are 0 afterwards. */
#ifndef CORRAL_WALL_PMP_TRAP_H
#define CORRAL_WALL_PMP_TRAP_H

enum {
    CORRAL_WALL_ASK_TO_MEET = 1,  /* corral_wall_meet() */
    CORRAL_WALL_ASK_TO_ENTER = 2, /* corral_wall_enter() */
};

/* Where a client begins: the second instruction of its code, the first being machine mode's. */
#define CORRAL_WALL_CLIENT_START 4u

#endif
