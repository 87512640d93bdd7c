/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two functions of the trusted side that a client on the same processor can call.
 * There is no other entrance. With TrustZone-M they are entries of the secure world,
 * elsewhere the client has functions of these names that trap (wall/pmp).
 */
#ifndef CORRAL_WALL_GATE_H
#define CORRAL_WALL_GATE_H

#include <psa/crypto_types.h>

#include "../call.h"

/*
 * The client's first call, after each of its resets: the state of an earlier run of it is
 * discarded. `configuration` is the one of its image (CORRAL_CONFIG_HASH). Any thread can call
 * this, and all keys are gone. With TrustZone-M a reset in the middle of a call leaves that
 * call's frames: this is a fault then, as any call of a thread beside one that is interrupted.
 *   PSA_ERROR_COMMUNICATION_FAILURE  that is not what the trusted side was built for
 *   other                            as corral_wall_forget()
 */
psa_status_t corral_wall_meet(uint32_t configuration);

/* Carry out a message, as corral_wall_serve() says. */
psa_status_t corral_wall_enter(struct corral_wall_call *message);

#endif
