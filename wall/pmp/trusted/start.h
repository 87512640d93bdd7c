/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between start and trap. */
#ifndef CORRAL_WALL_PMP_TRUSTED_START_H
#define CORRAL_WALL_PMP_TRUSTED_START_H

#include <stdint.h>

#include "../division.h"

/* The client's ranges, as the processor has them. */
extern const struct corral_wall_range *corral_wall_ranges;
extern size_t corral_wall_range_count;

/* One of these that is the client's data; if there is none, no byte. */
extern struct corral_wall_region corral_wall_ram;

/* At the top of the stack: the state that is kept while the other side runs. In user mode
 * mscratch has its address, in machine mode 0. The offsets are known to the trap. */
struct corral_wall_frame {
    uintptr_t trusted_tp;
    uintptr_t client_sp;
    uintptr_t client_ra;
    uintptr_t client_tp;
};

/* Of the linker script: the end of the stack, where it begins. */
extern uint8_t stack_top[];

/* Where every trap goes. */
void corral_wall_trap(void);

/* Says what there is to say, and ends the run. */
_Noreturn void corral_wall_fault(void);

#endif
