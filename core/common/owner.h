/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who calls, where others than this program have keys (CORRAL_WALL). Whoever serves them says so
 * before each call, and sets it back afterwards.
 */
#ifndef CORRAL_CORE_COMMON_OWNER_H
#define CORRAL_CORE_COMMON_OWNER_H

#include <stdint.h>

/* 0: this program itself. */
typedef uint8_t corral_owner_t;

extern corral_owner_t corral_owner;

#endif
