/* SPDX-License-Identifier: Apache-2.0 */
/* Reset of a Cortex-A7: caches, MMU and interrupts stay off, and one of its cores runs. */
    .syntax unified
    .arm

    .section .vectors, "ax"
    .balign 32
vectors:
    b reset_handler
    .rept 7
    b fault_handler
    .endr

    .text
    .global reset_handler
    .type reset_handler, %function
reset_handler:
    mrc p15, 0, r0, c0, c0, 5   /* MPIDR: the number of this core */
    ands r0, r0, #3
    bne park
    cps #0x13                   /* supervisor mode, which has the stack */
    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0  /* VBAR */
    ldr sp, =stack_top
    blx start_program

park:
    wfi
    b park

    .type fault_handler, %function
fault_handler:
    cps #0x13
    ldr sp, =stack_top
    blx stop_at_fault
