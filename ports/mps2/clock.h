/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/*
 * Milliseconds since the first call; goes round after 49 days. Call it at least once in
 * each period of the board's counter (171 seconds at 25 MHz).
 */
uint32_t clock_milliseconds(void);

#endif
