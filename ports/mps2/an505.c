/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory and devices of the AN505 image are the non-secure world's: half of each, its console
 * and the counter. Only of the board with TrustZone; other linker scripts have no such
 * ranges. (Arm DAI 0505; CoreLink SIE-200 for the gates.)
 */
#include <stdbool.h>

#include "../../wall/last_words.h"
#include "../../wall/trustzone/division.h"
#include "../uart/uart.h"

/* Of the linker script: the entries in multiples of 32 bytes, the others as the gates divide. Weak,
 * so that this links for boards of the port whose script has none. */
#define PLACE __attribute__((weak))
extern const uint8_t client_code_begin[] PLACE, client_code_end[] PLACE;
extern const uint8_t client_ram_begin[] PLACE, client_ram_end[] PLACE;
extern const uint8_t callable_begin[] PLACE, callable_end[] PLACE;

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* Memory protection controller: a bit for each block, 32 blocks in a word. */
struct gate {
    volatile uint32_t control;
    uint32_t reserved[3];
    volatile uint32_t last_index;
    volatile uint32_t block; /* 32 << of bits 0 to 3: bytes */
    volatile uint32_t index;
    volatile uint32_t table;
};

#define CONTROL_NEXT (1u << 8) /* the index advances by itself */

#define SSRAM1_GATE ((struct gate *)0x58007000)
#define SSRAM1 0x00000000u
#define SSRAM2_GATE ((struct gate *)0x58008000)
#define SSRAM3_GATE ((struct gate *)0x58009000)
#define SSRAM3 0x28200000u

/* Secure privilege control: entries may be in code memory; owners of the devices. */
#define NSCCFG REGISTER(0x50080014)
#define NSCCFG_CODE 1u
#define APBNSPPCEXP1 REGISTER(0x50080084)
#define APBNSPPCEXP1_UART0 (1u << 5)
#define APBNSPPCEXP2 REGISTER(0x50080088)
#define APBNSPPCEXP2_FPGAIO (1u << 2)

/* Devices of the client. Others are not in its ranges: not all have a gate (the watchdog of the
 * non-secure world, at 0x40081000, resets the machine). */
#define UART0 0x40200000u
#define FPGAIO 0x40302000u
#define DEVICE_SIZE 0x1000u

/* Of the memory at `base` the client has what is between the two. False, and nothing is changed:
 * the gate does not divide there. */
static bool open_gate(struct gate *gate, uintptr_t base, const uint8_t *begin, const uint8_t *end)
{
    const uint32_t word = 32u * (32u << (gate->block & 15u));
    const uintptr_t first = ((uintptr_t)begin - base) / word;
    const uintptr_t last = ((uintptr_t)end - base) / word;

    if (((uintptr_t)begin - base) % word != 0 || ((uintptr_t)end - base) % word != 0) {
        return false;
    }
    gate->control &= ~CONTROL_NEXT;
    for (uintptr_t i = 0; i <= gate->last_index; i++) {
        gate->index = (uint32_t)i;
        gate->table = i >= first && i < last ? 0xffffffffu : 0;
    }
    return true;
}

/* The client has nothing of it. */
static void close_gate(struct gate *gate)
{
    (void)open_gate(gate, 0, NULL, NULL);
}

const struct corral_wall_range *corral_port_divide(size_t *count)
{
    static struct corral_wall_range ranges[] = {
        {0, 0, CORRAL_WALL_MEMORY},
        {0, 0, CORRAL_WALL_MEMORY},
        {0, 0, CORRAL_WALL_ENTRIES},
        {UART0, UART0 + DEVICE_SIZE, CORRAL_WALL_DEVICES},
        {FPGAIO, FPGAIO + DEVICE_SIZE, CORRAL_WALL_DEVICES},
    };

    ranges[0].begin = (uintptr_t)client_code_begin;
    ranges[0].end = (uintptr_t)client_code_end;
    ranges[1].begin = (uintptr_t)client_ram_begin;
    ranges[1].end = (uintptr_t)client_ram_end;
    ranges[2].begin = (uintptr_t)callable_begin;
    ranges[2].end = (uintptr_t)callable_end;
    close_gate(SSRAM2_GATE);
    if (!open_gate(SSRAM1_GATE, SSRAM1, client_code_begin, client_code_end) ||
        !open_gate(SSRAM3_GATE, SSRAM3, client_ram_begin, client_ram_end)) {
        return NULL;
    }
    NSCCFG = NSCCFG_CODE;
    APBNSPPCEXP1 = APBNSPPCEXP1_UART0;
    APBNSPPCEXP2 = APBNSPPCEXP2_FPGAIO;
    *count = sizeof ranges / sizeof ranges[0];
    return ranges;
}

void corral_port_retake_console(void)
{
    uart_start();
}
