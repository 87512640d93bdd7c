/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory and devices are user mode's: the console, beside its code and its RAM.
 * Only of the board with a wall; other linker scripts have no such ranges.
 */
#include "../../wall/last_words.h"
#include "../../wall/pmp/division.h"
#include "../uart/uart.h"

/* Of the linker script. Weak, so that this links for boards of the port whose script has none. */
#define PLACE __attribute__((weak))
extern const uint8_t client_code_begin[] PLACE, client_code_end[] PLACE;
extern const uint8_t client_ram_begin[] PLACE, client_ram_end[] PLACE;

#define UART 0x10000000u
#define UART_SIZE 8u

/* Which counters user mode reads: the time. The processor has supervisor mode, too,
 * which is not used here, but affects that. */
#define COUNTERS_TIME 2u

void corral_port_retake_console(void)
{
    uart_start();
}

static struct corral_wall_region between(const uint8_t *begin, const uint8_t *end)
{
    return (struct corral_wall_region){(uintptr_t)begin, (uintptr_t)end - (uintptr_t)begin};
}

const struct corral_wall_range *corral_port_divide(size_t *count)
{
    static struct corral_wall_range ranges[] = {
        {{0, 0}, CORRAL_WALL_CODE},
        {{0, 0}, CORRAL_WALL_DATA},
        {{UART, UART_SIZE}, CORRAL_WALL_DEVICES},
    };

    ranges[0].region = between(client_code_begin, client_code_end);
    ranges[1].region = between(client_ram_begin, client_ram_end);
    __asm__ volatile("csrw medeleg, zero\n\t"
                     "csrw mideleg, zero\n\t"
                     "csrw satp, zero\n\t"
                     "csrw mcounteren, %0\n\t"
                     "csrw scounteren, %0" ::"r"(COUNTERS_TIME));
    *count = sizeof ranges / sizeof ranges[0];
    return ranges;
}
