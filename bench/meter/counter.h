/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of an emulated MPS2: QEMU with -icount shift=0 executes one instruction in a nanosecond
 * of its time, so its counter of 25 MHz advances by one in 40 instructions.
 */
#ifndef METER_COUNTER_H
#define METER_COUNTER_H

#include <stdint.h>

#define METER_COUNTER (*(const volatile uint32_t *)0x40028018u)

#endif
