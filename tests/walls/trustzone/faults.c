/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts of the non-secure world that do not return. */
#include <string.h>

#include <corral/board.h>
#include <psa/crypto.h>

#include "../client/client.h"
#include "nonsecure.h"

void take_exception(unsigned number, void (*handler)(void))
{
    static uint32_t vectors[16] __attribute__((aligned(128)));

    if (VTOR != (uint32_t)vectors) {
        memcpy(vectors, (const void *)VTOR, sizeof vectors);
        VTOR = (uint32_t)vectors;
    }
    vectors[number] = (uint32_t)handler;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

static void jump(uint32_t address)
{
    __asm__ volatile("blx %0" ::"r"(address | 1u) : "r0", "r1", "r2", "r3", "r12", "lr", "memory");
}

/* The compiler knows nothing of the address: it would object to some. */
static void read_at(volatile uintptr_t address)
{
    (void)REGISTER(address);
}

static void write_ram(void)
{
    REGISTER(SECURE_RAM) = 0;
}

/* All of the memory that it governs would be the client's. */
static void write_gate(void)
{
    REGISTER(0x58007000) = 0;
}

static void read_after_attribution_off(void)
{
    SAU_CTRL = 0;
    read_at(SECURE_RAM);
}

static void jump_into_code(void)
{
    jump(SECURE_CODE + 0x100);
}

static void jump_past_an_entry(void)
{
    jump(ENTRIES + 4);
}

/* vmov s0, r0 */
static void compute_with_floats(void)
{
    CPACR = 0xfu << 20;
    corral_board_print(MVFR0 != 0 ? "has floats\n" : "has none\n");
    __asm__ volatile("dsb\n\tisb\n\t.inst.w 0xee000a10" ::: "memory");
}

/* FNC_RETURN: as if the secure side had called. */
static void return_to_no_call(void)
{
    __asm__ volatile("bx %0" ::"r"(0xfeffffffu));
}

/* EXC_RETURN to the secure side, as if an exception had come from there. */
static void on_svc_main_stack(void)
{
    __asm__ volatile("bx %0" ::"r"(0xfffffff8u));
}

static void on_svc_process_stack(void)
{
    __asm__ volatile("bx %0" ::"r"(0xfffffffcu));
}

static void on_svc_as_secure(void)
{
    __asm__ volatile("bx %0" ::"r"(0xfffffff9u));
}

static void return_from(void (*handler)(void))
{
    take_exception(EXCEPTION_SVC, handler);
    __asm__ volatile("svc 0" ::: "memory");
}

static void return_by_main_stack(void)
{
    return_from(on_svc_main_stack);
}

static void return_by_process_stack(void)
{
    return_from(on_svc_process_stack);
}

static void return_as_secure(void)
{
    return_from(on_svc_as_secure);
}

/* Where an interrupt of a call returns to instead, with an EXC_RETURN of its own: the call stays
 * interrupted on the secure stack. */
static struct {
    uint32_t stack[256];
    uint32_t registers[5]; /* r0 to r3, r12 */
    uint32_t lr;
    uint32_t pc;
    uint32_t xpsr;
    uint32_t exc_return;
} elsewhere __attribute__((aligned(8), used));

#define TO_THREAD 0xffffffb8u
#define TO_HANDLER 0xffffffb0u
#define THUMB (1u << 24)

__attribute__((naked)) static void on_tick(void)
{
    __asm__ volatile("tst lr, #0x40\n\t" /* EXC_RETURN.S: the secure side was interrupted */
                     "it eq\n\t"
                     "bxeq lr\n\t"
                     "ldr r0, =elsewhere\n\t"
                     "add r0, r0, #1024\n\t"
                     "msr msp, r0\n\t"
                     "ldr lr, [r0, #32]\n\t"
                     "bx lr");
}

/* Call until an interrupt comes in the middle, and go on in this function. Calls come at changing
 * distances: at one distance all interrupts could come between two calls. */
static void interrupt_calls(void (*next)(void), uint32_t exc_return, uint32_t exception)
{
    elsewhere.pc = (uint32_t)next & ~1u;
    elsewhere.xpsr = THUMB | exception;
    elsewhere.exc_return = exc_return;
    take_exception(EXCEPTION_SYSTICK, on_tick);
    SYST_RVR = 20;
    SYST_CVR = 0;
    SYST_CSR = 7; /* enabled, interrupts, processor clock */
    for (uint32_t turn = 0;; turn++) {
        for (volatile uint32_t wait = turn % 32; wait > 0; wait--) {
        }
        (void)corral_wall_enter(&message);
    }
}

static void call_and_go_on(void)
{
    uint8_t random;

    SYST_CSR = 0;
    (void)psa_generate_random(&random, 1);
    corral_board_print("goes on\n");
    corral_board_exit(0);
}

static void call_beside_a_call(void)
{
    interrupt_calls(call_and_go_on, TO_THREAD, 0);
}

static void meet_and_go_on(void)
{
    SYST_CSR = 0;
    (void)corral_wall_meet(0);
    corral_board_print("goes on\n");
    corral_board_exit(0);
}

static void restart_in_a_call(void)
{
    interrupt_calls(meet_and_go_on, TO_THREAD, 0);
}

/* Each interrupted call of a handler leaves its frames: as many as there is stack for. */
static void nest(void)
{
    interrupt_calls(nest, TO_HANDLER, EXCEPTION_SVC);
}

static void fill_the_stack(void)
{
    SHPR2 = 0xffu << 24; /* SysTick comes before SVC */
    return_from(nest);
}

void start_again(void)
{
    const uint32_t *const vectors = (const uint32_t *)CODE;

    __asm__ volatile("msr msp, %0\n\tbx %1" ::"r"(vectors[0]), "r"(vectors[1]));
}

/* Call with this in the link register, as no compiler would. The entry returns there. */
static void call_and_return_to(uint32_t lr)
{
    make_hash((const uint8_t *)"abc", 3, buffers[CORRAL_WALL_INPUTS]);
    __asm__ volatile("mov r0, %0\n\t"
                     "mov lr, %1\n\t"
                     "bx %2" ::"r"(&message),
                     "r"(lr), "r"((uint32_t)corral_wall_enter | 1u)
                     : "r0", "lr", "memory");
}

#define CALLER(name, lr)                                                                           \
    static void name(void)                                                                         \
    {                                                                                              \
        call_and_return_to(lr);                                                                    \
    }

CALLER(call_and_return_to_secure_code, (SECURE_CODE + 0x100) | 1u)
CALLER(call_and_return_to_an_entry, (ENTRIES + 4) | 1u)
CALLER(call_and_return_to_secure_ram, SECURE_RAM)
CALLER(call_with_function_return, 0xfeffffffu)
CALLER(call_with_exception_return_to_secure, 0xfffffff9u)
CALLER(call_with_exception_return, 0xffffffbcu)

/* Nothing of it is sent until the console is set up again. */
static void fault_with_the_console_off(void)
{
    REGISTER(CONSOLE + 8) = 0;
    read_at(SECURE_RAM);
}

#define READER(name, address)                                                                      \
    static void name(void)                                                                         \
    {                                                                                              \
        read_at(address);                                                                          \
    }

READER(read_ram, SECURE_RAM)
READER(read_ram_alias, SECURE_RAM_ALIAS)
READER(read_code, SECURE_CODE + 0x100)
READER(read_code_alias, SECURE_CODE_ALIAS + 0x100)
READER(read_gate, 0x58007000)
READER(read_gate_alias, 0x48007000)
READER(read_privilege_control, 0x50080014)
READER(read_watchdog, 0x40081000) /* that of this world, which resets the machine */
READER(read_uart, 0x40201000)
READER(read_dma, 0x40110000)

const struct attack attacks[] = {
    {"read_ram", read_ram},
    {"read_ram_alias", read_ram_alias},
    {"read_code", read_code},
    {"read_code_alias", read_code_alias},
    {"read_gate", read_gate},
    {"read_gate_alias", read_gate_alias},
    {"read_privilege_control", read_privilege_control},
    {"read_watchdog", read_watchdog},
    {"read_uart", read_uart},
    {"read_dma", read_dma},
    {"write_ram", write_ram},
    {"write_gate", write_gate},
    {"read_after_attribution_off", read_after_attribution_off},
    {"jump_into_code", jump_into_code},
    {"jump_past_an_entry", jump_past_an_entry},
    {"compute_with_floats", compute_with_floats},
    {"return_to_no_call", return_to_no_call},
    {"return_by_main_stack", return_by_main_stack},
    {"return_by_process_stack", return_by_process_stack},
    {"return_as_secure", return_as_secure},
    {"call_beside_a_call", call_beside_a_call},
    {"restart_in_a_call", restart_in_a_call},
    {"fill_the_stack", fill_the_stack},
    {"call_and_return_to_secure_code", call_and_return_to_secure_code},
    {"call_and_return_to_an_entry", call_and_return_to_an_entry},
    {"call_and_return_to_secure_ram", call_and_return_to_secure_ram},
    {"call_with_function_return", call_with_function_return},
    {"call_with_exception_return_to_secure", call_with_exception_return_to_secure},
    {"call_with_exception_return", call_with_exception_return},
    {"fault_with_the_console_off", fault_with_the_console_off},
};

const size_t attack_count = sizeof attacks / sizeof attacks[0];
