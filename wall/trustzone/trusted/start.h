/* SPDX-License-Identifier: Apache-2.0 */
/* What the start leaves to those who check addresses. */
#ifndef CORRAL_WALL_TRUSTZONE_TRUSTED_START_H
#define CORRAL_WALL_TRUSTZONE_TRUSTED_START_H

#include <stdint.h>

/* A bit for each region of the attribution unit that is memory of the client. */
extern uint32_t corral_wall_memories;

#endif
