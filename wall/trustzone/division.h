/* SPDX-License-Identifier: Apache-2.0 */
/* Which of a board's memory and devices are whose: its port and its linker script know. */
#ifndef CORRAL_WALL_TRUSTZONE_DIVISION_H
#define CORRAL_WALL_TRUSTZONE_DIVISION_H

#include <stddef.h>
#include <stdint.h>

/* From `begin` to `end`, which is not in it any more; both are multiples of 32. */
struct corral_wall_range {
    uintptr_t begin;
    uintptr_t end;
    enum {
        CORRAL_WALL_MEMORY,  /* the client's: buffers may be there */
        CORRAL_WALL_DEVICES, /* the client's */
        CORRAL_WALL_ENTRIES, /* secure; the client may call them */
    } kind;
};

/* Of a linker script: the client's vector table, as Armv8-M has it. */
extern const uint32_t client_vectors[2];

/*
 * Of the port, called once: let the system's own gates (memory protection controllers, gates of
 * devices) give the client what is its own. Returns the ranges for the processor's
 * attribution unit, of which no two overlap, or NULL if a gate does not divide there;
 * all other memory is secure.
 */
const struct corral_wall_range *corral_port_divide(size_t *count);

#endif
