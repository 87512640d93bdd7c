/* SPDX-License-Identifier: Apache-2.0 */
/* Power that fails during a write or an erasure of the port's flash. */
#ifndef POWER_H
#define POWER_H

#include <stdbool.h>
#include <stdint.h>

/* Half of step number `step` from now on (1 is the next) is done, and nothing after it. */
void power_fails_at(uint32_t step);

/* Power is there again; returns whether it was away. No failure is planned any more. */
bool power_returns(void);

#endif
