/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two functions of the secure side that the non-secure world can call (TrustZone-M). There is
 * no third way in: whatever jumps elsewhere into secure memory faults.
 */
#ifndef CORRAL_WALL_TRUSTZONE_ENTRY_H
#define CORRAL_WALL_TRUSTZONE_ENTRY_H

#include <psa/crypto_types.h>

#include "../call.h"

/*
 * The client's first call, after each of its resets: what an earlier run of it left is forgotten.
 * `configuration` is what its image was built for (CORRAL_CONFIG_HASH). Any thread can call this,
 * and all keys are gone. A reset in the middle of a call leaves that call's frames: this is a fault
 * then, as any call of a thread beside one that is interrupted.
 *   PSA_ERROR_COMMUNICATION_FAILURE  that is not what the secure side was built for
 *   other                            as corral_wall_forget()
 */
psa_status_t corral_wall_meet(uint32_t configuration);

/* Carry out a message, as corral_wall_serve() says. */
psa_status_t corral_wall_enter(struct corral_wall_call *message);

#endif
