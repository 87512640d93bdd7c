/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts of user mode beside calls, without a fault. */
#include <string.h>

#include "../../../wall/pmp/client/ask.h"
#include "../../../wall/pmp/trap.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../client/client.h"
#include "user.h"

/* t0 to t6, a1 to a7 after a call. */
#define REGISTERS 14u

__attribute__((naked)) static psa_status_t call_and_look(struct corral_wall_call *what,
                                                         uint32_t *registers)
{
    (void)what;
    (void)registers;
    __asm__ volatile("addi sp, sp, -16\n\t"
                     "sw s0, 0(sp)\n\t"
                     "mv s0, a1\n\t"
                     "li a7, 2\n\t"
                     "ecall\n\t"
                     "sw t0, 0(s0)\n\tsw t1, 4(s0)\n\tsw t2, 8(s0)\n\tsw t3, 12(s0)\n\t"
                     "sw t4, 16(s0)\n\tsw t5, 20(s0)\n\tsw t6, 24(s0)\n\t"
                     "sw a1, 28(s0)\n\tsw a2, 32(s0)\n\tsw a3, 36(s0)\n\tsw a4, 40(s0)\n\t"
                     "sw a5, 44(s0)\n\tsw a6, 48(s0)\n\tsw a7, 52(s0)\n\t"
                     "lw s0, 0(sp)\n\t"
                     "addi sp, sp, 16\n\t"
                     "ret");
}

static void return__from_a_call__tells_nothing_in_registers(void)
{
    uint32_t registers[REGISTERS];
    uint8_t hash[32];

    memset(registers, 0xff, sizeof registers);
    make_hash(abc, sizeof abc, hash);
    EXPECT(PSA_SUCCESS, call_and_look(&message, registers));
    for (unsigned i = 0; i < REGISTERS; i++) {
        test_context("register", i);
        CHECK(registers[i] == 0);
    }
    test_context(NULL, 0);
}

/* gp, tp and ra: a call keeps them although no function of C would. */
__attribute__((naked)) static uint32_t call_and_compare(struct corral_wall_call *what)
{
    (void)what;
    __asm__ volatile("addi sp, sp, -16\n\t"
                     "sw ra, 0(sp)\n\t"
                     "sw gp, 4(sp)\n\t"
                     "sw tp, 8(sp)\n\t"
                     "sw s0, 12(sp)\n\t"
                     "mv s0, sp\n\t"
                     "li gp, 0x1234\n\t"
                     "li a7, 2\n\t"
                     "ecall\n\t"
                     "li t0, 0x1234\n\t"
                     "xor a0, gp, t0\n\t"
                     "lw t0, 0(sp)\n\txor t0, t0, ra\n\tor a0, a0, t0\n\t"
                     "lw t0, 8(sp)\n\txor t0, t0, tp\n\tor a0, a0, t0\n\t"
                     "xor t0, s0, sp\n\tor a0, a0, t0\n\t"
                     "lw gp, 4(sp)\n\t"
                     "lw s0, 12(sp)\n\t"
                     "addi sp, sp, 16\n\t"
                     "ret");
}

static void return__from_a_call__leaves_the_clients_registers(void)
{
    uint8_t hash[32];

    make_hash(abc, sizeof abc, hash);
    CHECK(call_and_compare(&message) == 0);
}

static void call__by_another_number__is_refused(void)
{
    static const uintptr_t numbers[] = {0, 3, 8, 93, 0x102, 0x80000002u, UINTPTR_MAX};
    uint8_t hash[32];

    make_hash(abc, sizeof abc, hash);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        test_context("number", numbers[i]);
        EXPECT(PSA_ERROR_NOT_SUPPORTED, corral_wall_ask(numbers[i], (uintptr_t)&message));
    }
    test_context(NULL, 0);
    EXPECT(PSA_SUCCESS, corral_wall_ask(CORRAL_WALL_ASK_TO_ENTER, (uintptr_t)&message));
}

/* User mode cannot write its code, and the trusted side does not write it either. */
static void code__is_read_and_not_written(void)
{
    static uint8_t copy[16];
    uint8_t hash[32];

    memcpy(copy, (const void *)CODE, sizeof copy);
    make_hash((const uint8_t *)CODE, sizeof copy, hash);
    EXPECT(PSA_SUCCESS, corral_wall_enter(&message));
    CHECK(message.reply.lengths[0] == 32);
    make_hash(abc, sizeof abc, (uint8_t *)CODE);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_enter(&message));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_enter((struct corral_wall_call *)CODE));
    CHECK_BYTES((const uint8_t *)CODE, sizeof copy, copy, sizeof copy);
}

static void message__without_alignment__is_refused(void)
{
    static uint8_t room[sizeof message + 1] __attribute__((aligned(4)));
    uint8_t hash[32] = {0};

    make_hash(abc, sizeof abc, hash);
    memcpy(room + 1, &message, sizeof message);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           corral_wall_enter((struct corral_wall_call *)(void *)(room + 1)));
    CHECK(test_all(hash, sizeof hash, 0));
}

static const struct test_case tests[] = {
    TEST(return__from_a_call__tells_nothing_in_registers),
    TEST(return__from_a_call__leaves_the_clients_registers),
    TEST(call__by_another_number__is_refused),
    TEST(code__is_read_and_not_written),
    TEST(message__without_alignment__is_refused),
};

TEST_SUITE_APART(transport, tests);
