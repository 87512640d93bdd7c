/* SPDX-License-Identifier: Apache-2.0 */
/* What the start leaves to those who check calls. */
#ifndef CORRAL_WALL_TRUSTZONE_TRUSTED_START_H
#define CORRAL_WALL_TRUSTZONE_TRUSTED_START_H

#include <stdint.h>

/* A bit for each region of the attribution unit that is memory of the client. */
extern uint32_t corral_wall_memories;

/* Of the linker script: the end of the main stack, whose last two words are a seal. */
extern uint32_t stack_top;
#define CORRAL_WALL_SEAL_SIZE 8u

/* Where all faults go: says what there is to say, and ends the run. */
_Noreturn void corral_wall_fault(void);

#endif
