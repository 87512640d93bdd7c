/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual chips of the board in this process, and power that fails for chip and host at once.
 */
#ifndef TESTS_PERSISTENT_ELEMENTS_CHIPS_H
#define TESTS_PERSISTENT_ELEMENTS_CHIPS_H

#include <stdbool.h>
#include <stdint.h>

/* Fresh chips, provisioned for the board's slots. Exits when that fails. */
void chips_prepare(void);

/* The host begins anew: its driver has forgotten the chips, and they have lost their volatile
 * state. */
void chips_restart(void);

/*
 * Let power fail at bus transaction `number` from now on: the chip with or without the result of
 * the command at work, and with it the whole device, unless `chip_alone`.
 */
void chips_cut(uint32_t number, bool with_result, bool chip_alone);

/* Whether it has failed since; no cut is planned any more. */
bool chips_power_on(void);

#endif
