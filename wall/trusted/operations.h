/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operations of all clients. A client has a handle, which names its operation as
 * long as that is active. The handle consists of a number that counts the operations
 * begun (24 bits, so it repeats after 16 million), and the place in the table.
 */
#ifndef CORRAL_WALL_TRUSTED_OPERATIONS_H
#define CORRAL_WALL_TRUSTED_OPERATIONS_H

#include <corral/wall_functions.h>
#include <corral/wall_states.h>
#include <psa/crypto.h>

#include "../../core/common/owner.h"

struct corral_wall_operation {
    corral_wall_state_t as;
    uint32_t handle; /* 0: free */
    corral_owner_t owner;
    uint8_t kind; /* CORRAL_WALL_OPERATION_x */
};

/*
 * The operation of the present client (corral_owner) that a handle names; for 0 an
 * inactive one, which is free unless the call makes it active. Nothing is held by this:
 * a call may end without corral_wall_close() where it has begun nothing.
 *   PSA_ERROR_BAD_STATE            the handle names no operation of this client and this kind
 *   PSA_ERROR_INSUFFICIENT_MEMORY  0, and all places are taken, or as many as one client may have
 */
psa_status_t corral_wall_open(uint32_t handle, uint8_t kind,
                              struct corral_wall_operation **operation);

/* After a call that may have begun the operation, or ended it: its handle, 0 if it is inactive. */
uint32_t corral_wall_close(struct corral_wall_operation *operation);

/* Before the first call: the next operation has the number behind this one's upper 24 bits. */
void corral_wall_number_from(uint32_t number);

/* Abort an operation, of whatever kind: generated. */
psa_status_t corral_wall_abort(struct corral_wall_operation *operation);

/* Abort all operations of the client at work. Returns the first failure; none is left. */
psa_status_t corral_wall_abort_all(void);

#endif
