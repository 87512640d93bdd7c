/* SPDX-License-Identifier: Apache-2.0 */
/* Which of a board's memory and devices are the client's: its port and its linker script know. */
#ifndef CORRAL_WALL_PMP_DIVISION_H
#define CORRAL_WALL_PMP_DIVISION_H

#include <stddef.h>
#include <stdint.h>

#include "../region.h"

/* A power of two of bytes, at least 8, beginning at a multiple of it. */
struct corral_wall_range {
    struct corral_wall_region region;
    enum {
        CORRAL_WALL_CODE,    /* the client reads and executes it; inputs may be there */
        CORRAL_WALL_DATA,    /* it reads and writes it; buffers may be there */
        CORRAL_WALL_DEVICES, /* the same, and no place for buffers */
    } kind;
};

/*
 * Of the port, called once: give the client what machine mode governs by registers that not every
 * processor has (counters), and keep the rest from it. Returns the ranges for physical
 * memory protection. The first is code and begins with its vectors, and no two overlap;
 * all other memory is the trusted side's. Port and linker script see to it that no
 * range has the trusted side's own memory in it.
 */
const struct corral_wall_range *corral_port_divide(size_t *count);

#endif
