/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From reset to main(), for a RISC-V that begins at the start of the code: in machine mode, with
 * interrupts off. One of its harts runs. Behind that is where the client of a wall begins, in user
 * mode, which has no such registers.
 */
    .section .vectors, "ax"
    .option push
    .option norvc
    .global reset_handler
    .type reset_handler, %function
reset_handler:
    j from_reset
    j from_wall
    .option pop

    .text
from_reset:
    csrr t0, mhartid
    bnez t0, park
    la t0, fault_handler
    csrw mtvec, t0
from_wall:
    la sp, stack_top
    call start_program

park:
    wfi
    j park

    .balign 4
    .type fault_handler, %function
fault_handler:
    la sp, stack_top
    call stop_at_fault
