/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/*
 * Milliseconds since the first call; goes round after 49 days. Who measures by it calls at least
 * once in the time in which the board's counter goes round (171 seconds at 25 MHz).
 */
uint32_t clock_milliseconds(void);

#endif
