/* SPDX-License-Identifier: Apache-2.0 */
/* Values from the start for the code that checks calls. */
#ifndef CORRAL_WALL_TRUSTZONE_TRUSTED_START_H
#define CORRAL_WALL_TRUSTZONE_TRUSTED_START_H

#include <stdint.h>

/* Of the number of a region of the attribution unit: it is memory of the client. */
#define CORRAL_WALL_IS_MEMORY 1u

/* Of the linker script: the end of the main stack, whose last two words are a seal. */
extern uint32_t stack_top;
#define CORRAL_WALL_SEAL_SIZE 8u

/* Where all faults go: says what there is to say, and ends the run. */
_Noreturn void corral_wall_fault(void);

#endif
