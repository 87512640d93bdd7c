/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts of the non-secure world beside calls, and with interrupts, without a fault. */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"
#include "../client/client.h"
#include "nonsecure.h"

static struct {
    uint32_t in_secure; /* ticks during which the secure side was at work */
    uint32_t told;      /* registers that then held something */
    uint32_t early;     /* calls that were tried then and served: nothing had begun yet */
    uint32_t refused;
    uint32_t not_refused;
    bool is_mild; /* messages are changed to others that may be sent */
} ticks;

/* Outputs are behind inputs: an attacker that copies a message once, and finds
 * another's input, finds its output as well. */
static void change(void)
{
    if (ticks.is_mild) {
        message.inputs[0].data = abc;
        message.inputs[0].length = sizeof abc;
        message.outputs[0].data = buffers[CORRAL_WALL_INPUTS];
        message.outputs[0].size = 32;
        return;
    }
    message.inputs[0].data = (const void *)SECURE_RAM;
    message.inputs[0].length = 64;
    message.outputs[0].data = (void *)SECURE_RAM;
    message.outputs[0].size = 4096;
    message.function = CORRAL_WALL_GENERATE_RANDOM;
}

/* Change what the message says, and call again. */
__attribute__((used)) static void tick(const uint32_t *registers)
{
    uint8_t random;

    SYST_CSR = 0;
    change();
    if ((registers[13] & 0x40u) == 0) { /* EXC_RETURN.S: the secure side was interrupted */
        return;
    }
    ticks.in_secure++;
    for (unsigned i = 0; i < 13; i++) {
        ticks.told += registers[i] != 0;
    }
    const psa_status_t status = psa_generate_random(&random, 1);
    if (status == PSA_ERROR_INSUFFICIENT_MEMORY) {
        ticks.refused++;
    } else if (status == PSA_SUCCESS && ticks.refused == 0) {
        ticks.early++;
    } else {
        ticks.not_refused++;
    }
}

__attribute__((naked)) static void on_tick(void)
{
    __asm__ volatile("push {r0-r12, lr}\n\t"
                     "mov r0, sp\n\t"
                     "bl tick\n\t"
                     "pop {r0-r12, pc}");
}

/* More than an instruction takes (-icount of test_trustzone.py): each of the first of a call is
 * interrupted, which copy the message; then some of those that copy the input and work. */
#define ROUNDS 1300u

static uint32_t delay(uint32_t round)
{
    const uint32_t fine = 1200;

    return 1 + (round < fine ? round : fine + 16 * (round - fine));
}

/* A call that is interrupted so, and the content of its output afterwards. */
static psa_status_t call_and_change(const uint8_t *text, size_t length, uint32_t round,
                                    uint8_t hash[32])
{
    memset(hash, 0, 32);
    make_hash(text, length, hash);
    SYST_RVR = delay(round);
    SYST_CVR = 0;
    SYST_CSR = 7; /* enabled, interrupts, processor clock */
    const psa_status_t status = corral_wall_enter(&message);
    SYST_CSR = 0;
    return status;
}

static void message__changed_by_an_interrupt_during_the_call__is_what_it_was(void)
{
    static uint8_t text[100];
    uint8_t wanted[32];
    uint8_t hash[32];
    size_t length;
    unsigned counts[2][2] = {{0}}; /* by the new value, and whether that was seen */

    test_fill(text, sizeof text, 5);
    NEED(psa_hash_compute(PSA_ALG_SHA_256, text, sizeof text, wanted, 32, &length));
    memset(&ticks, 0, sizeof ticks);
    take_exception(EXCEPTION_SYSTICK, on_tick);
    for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
        test_context("round", round);
        ticks.is_mild = round % 2 != 0;
        const psa_status_t status = call_and_change(text, sizeof text, round / 2, hash);
        const bool is_changed = test_all(hash, sizeof hash, 0);
        counts[ticks.is_mild][is_changed]++;
        CHECK(status == (is_changed && !ticks.is_mild ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS));
        if (!is_changed) {
            CHECK_BYTES(hash, sizeof hash, wanted, sizeof wanted);
        }
    }
    test_context(NULL, 0);
    for (unsigned i = 0; i < 2; i++) {
        CHECK(counts[i][0] > 20 && counts[i][1] > 20);
    }
    CHECK(ticks.in_secure > 20);
    CHECK(ticks.refused > 20);
}

static void interrupt__during_a_call__finds_nothing_in_registers_and_is_refused(void)
{
    CHECK(ticks.in_secure > 20); /* of the test before */
    CHECK(ticks.told == 0);
    CHECK(ticks.refused > 0 && ticks.not_refused == 0);
}

/* r1, r2, r3, r12 and the flags after a call. */
__attribute__((naked)) static psa_status_t call_and_look(struct corral_wall_call *what,
                                                         uint32_t *registers)
{
    (void)what;
    (void)registers;
    __asm__ volatile("push {r4, r5, r6, lr}\n\t"
                     "mov r4, r1\n\t"
                     "bl corral_wall_enter\n\t"
                     "stmia r4!, {r1, r2, r3}\n\t"
                     "str r12, [r4]\n\t"
                     "mrs r5, apsr\n\t"
                     "str r5, [r4, #4]\n\t"
                     "pop {r4, r5, r6, pc}");
}

static void return__from_a_call__tells_nothing_in_registers(void)
{
    uint32_t first[5];
    uint32_t second[5];
    uint8_t hash[32];

    make_hash(abc, sizeof abc, hash);
    EXPECT(PSA_SUCCESS, call_and_look(&message, first));
    make_hash(hmac_message, sizeof hmac_message, hash);
    EXPECT(PSA_SUCCESS, call_and_look(&message, second));
    for (unsigned i = 0; i < 4; i++) {
        test_context("register", i);
        CHECK(first[i] == second[i]);
        /* Nor an address of the other side. */
        CHECK((first[i] & 0x10000000u) == 0 || first[i] >= 0xe0000000u);
    }
    test_context(NULL, 0);
    CHECK(first[4] == second[4]);
}

/* The gap between two that a thread may use. */
static uint8_t rows[3][32] __attribute__((aligned(32)));
static uint8_t *const secret = rows[1];
extern uint8_t data_start;

static void set_region(uint32_t number, uintptr_t begin, uintptr_t end, uint32_t access)
{
    MPU_RNR = number;
    MPU_RBAR = begin | access;
    MPU_RLAR = (end - 32u) | 1u;
}

static void on_svc(void)
{
    __asm__ volatile("msr control, %0\n\tisb" ::"r"(0));
}

/* A system's thread may not have the system's memory read or written for it. */
static void thread__unprivileged__has_its_own_rights_alone(void)
{
    const uint32_t any = 1u << 1;
    const uintptr_t at = (uintptr_t)secret;
    static uint8_t hash[32];
    psa_status_t input;
    psa_status_t around;
    psa_status_t output;
    psa_status_t own;

    set_region(0, CODE, CODE_END, 3u << 1);
    set_region(1, RAM, at, any);
    set_region(2, at, at + sizeof rows[1], 0);
    set_region(3, at + sizeof rows[1], RAM_END, any);
    take_exception(EXCEPTION_SVC, on_svc);
    MPU_CTRL = 5; /* enabled, and the default for those with privileges */
    __asm__ volatile("dsb\n\tisb\n\tmsr control, %0\n\tisb" ::"r"(1) : "memory");
    make_hash(secret, sizeof rows[1], hash);
    input = corral_wall_enter(&message);
    make_hash(rows[0], sizeof rows, hash); /* begins and ends in its own */
    around = corral_wall_enter(&message);
    make_hash(abc, sizeof abc, secret);
    output = corral_wall_enter(&message);
    make_hash(abc, sizeof abc, hash);
    own = corral_wall_enter(&message);
    __asm__ volatile("svc 0" ::: "memory");
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, input);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, around);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, output);
    CHECK(test_all(secret, sizeof rows[1], 0));
    EXPECT(PSA_SUCCESS, own);
    make_hash(secret, sizeof rows[1], hash);
    EXPECT(PSA_SUCCESS, corral_wall_enter(&message));
    MPU_CTRL = 0;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

static void reset__asked_for__does_not_happen(void)
{
    AIRCR = 0x05fau << 16 | 1u << 2;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    CHECK((AIRCR & 1u << 2) == 0);
}

static const struct test_case tests[] = {
    TEST(message__changed_by_an_interrupt_during_the_call__is_what_it_was),
    TEST(interrupt__during_a_call__finds_nothing_in_registers_and_is_refused),
    TEST(return__from_a_call__tells_nothing_in_registers),
    TEST(thread__unprivileged__has_its_own_rights_alone),
    TEST(reset__asked_for__does_not_happen),
};

TEST_SUITE_APART(transport, tests);
