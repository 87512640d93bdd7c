/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts of user mode that do not return. */
#include <corral/board.h>
#include <psa/crypto.h>

#include "../client/client.h"
#include "user.h"

#define ATTACK(name, statement)                                                                    \
    static void name(void)                                                                         \
    {                                                                                              \
        statement;                                                                                 \
    }

static void read_at(uintptr_t address)
{
    uint32_t value;

    __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(address));
}

static void write_at(uintptr_t address)
{
    __asm__ volatile("sw zero, 0(%0)" ::"r"(address) : "memory");
}

static void jump(uintptr_t address)
{
    __asm__ volatile("jalr %0" ::"r"(address) : "ra", "t0", "t1", "t2", "memory");
}

ATTACK(read_ram, read_at(TRUSTED_RAM))
ATTACK(read_code, read_at(TRUSTED_CODE))
ATTACK(read_stack, read_at(CODE - 16))
ATTACK(read_behind, read_at(RAM_END))
ATTACK(read_across, read_at(RAM_END - 2))
ATTACK(read_boot_code, read_at(BOOT_CODE))
ATTACK(read_switch, read_at(SWITCH))
ATTACK(read_timer, read_at(LOCAL_INTERRUPTS))
ATTACK(read_interrupts, read_at(INTERRUPTS))
ATTACK(read_entropy, read_at(ENTROPY))
ATTACK(read_crypto, read_at(CRYPTO))
ATTACK(read_behind_console, read_at(CONSOLE + 8))
ATTACK(read_flash, read_at(FLASH))
ATTACK(write_ram, write_at(TRUSTED_RAM))
ATTACK(write_code, write_at(TRUSTED_CODE))
ATTACK(write_switch, write_at(SWITCH))
ATTACK(write_timer, write_at(LOCAL_INTERRUPTS))
ATTACK(write_crypto, write_at(CRYPTO + QUEUE_NOTIFY))
ATTACK(write_own_code, write_at(CODE))
ATTACK(execute_ram, jump(TRUSTED_RAM))
ATTACK(execute_code, jump(TRUSTED_CODE))
ATTACK(execute_own_ram, jump(RAM))
ATTACK(execute_console, jump(CONSOLE))

#define DO(instruction) __asm__ volatile(instruction ::: "t0", "memory")

ATTACK(read_mstatus, DO("csrr t0, mstatus"))
ATTACK(read_mscratch, DO("csrr t0, mscratch"))
ATTACK(read_mhartid, DO("csrr t0, mhartid"))
ATTACK(read_sstatus, DO("csrr t0, sstatus"))
ATTACK(read_cycles, DO("csrr t0, cycle"))
ATTACK(write_mstatus, DO("csrw mstatus, zero"))
ATTACK(write_mtvec, DO("csrw mtvec, zero"))
ATTACK(write_mepc, DO("csrw mepc, zero"))
ATTACK(write_pmpcfg, DO("csrw pmpcfg0, zero"))
ATTACK(write_pmpaddr, DO("csrw pmpaddr1, zero"))
ATTACK(write_satp, DO("csrw satp, zero"))
ATTACK(return_as_machine, DO("mret"))
ATTACK(return_as_supervisor, DO("sret"))
ATTACK(compute_with_floats, DO(".word 0xf0000053")) /* fmv.w.x ft0, zero */
ATTACK(break_off, DO("ebreak"))

/* The mode after a call is that from before. */
static void read_mstatus_after_a_call(void)
{
    uint8_t hash[32];
    size_t length;

    (void)psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, hash, sizeof hash, &length);
    corral_board_print(length == sizeof hash ? "has called\n" : "has not called\n");
    DO("csrr t0, mstatus");
}

/* The trap does not touch the client's stack, wherever that is said to be. */
static void call_with_a_stack_of_the_other_side(void)
{
    make(0);
    __asm__ volatile("mv t1, sp\n\t"
                     "mv sp, %1\n\t"
                     "mv a0, %0\n\t"
                     "li a7, 2\n\t"
                     "ecall\n\t"
                     "lw t0, 0(sp)\n\t" ::"r"(&message),
                     "r"(TRUSTED_RAM)
                     : "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4",
                       "t5", "t6", "memory");
}

/* The line's divisor in place of its data, and all that is sent comes back. */
static void fault_with_the_console_off(void)
{
    volatile uint8_t *const console = (volatile uint8_t *)CONSOLE;

    console[4] = 0x10;
    console[3] = 0x80;
    read_at(TRUSTED_RAM);
}

void start_again(void)
{
    jump(CODE + 4);
}

#define ROW(name)                                                                                  \
    {                                                                                              \
#name, name                                                                                \
    }

const struct attack attacks[] = {
    ROW(read_ram),
    ROW(fault_with_the_console_off),
    ROW(read_code),
    ROW(read_stack),
    ROW(read_behind),
    ROW(read_across),
    ROW(read_boot_code),
    ROW(read_switch),
    ROW(read_timer),
    ROW(read_interrupts),
    ROW(read_entropy),
    ROW(read_crypto),
    ROW(read_behind_console),
    ROW(read_flash),
    ROW(write_ram),
    ROW(write_code),
    ROW(write_switch),
    ROW(write_timer),
    ROW(write_crypto),
    ROW(write_own_code),
    ROW(execute_ram),
    ROW(execute_code),
    ROW(execute_own_ram),
    ROW(execute_console),
    ROW(read_mstatus),
    ROW(read_mscratch),
    ROW(read_mhartid),
    ROW(read_sstatus),
    ROW(read_cycles),
    ROW(write_mstatus),
    ROW(write_mtvec),
    ROW(write_mepc),
    ROW(write_pmpcfg),
    ROW(write_pmpaddr),
    ROW(write_satp),
    ROW(return_as_machine),
    ROW(return_as_supervisor),
    ROW(compute_with_floats),
    ROW(break_off),
    ROW(read_mstatus_after_a_call),
    ROW(call_with_a_stack_of_the_other_side),
};

const size_t attack_count = sizeof attacks / sizeof attacks[0];
