/* SPDX-License-Identifier: Apache-2.0 */
/* The security counter of emulated boards (corral/port.h). Raising it counts as a step of the model
 * of flash, and it loses power with it. */
#ifndef UPDATE_COUNTER_H
#define UPDATE_COUNTER_H

#include <stdint.h>

/* Take over a value that a test wants. */
void update_counter_set(uint32_t value);

#endif
