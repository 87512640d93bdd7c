/* SPDX-License-Identifier: Apache-2.0 */
/* How a message goes over the wall. */
#ifndef CORRAL_WALL_CLIENT_CROSS_H
#define CORRAL_WALL_CLIENT_CROSS_H

#include <psa/crypto_types.h>

#include "../call.h"

/*
 * Send a message and wait for its reply: of the transport. The status is that of the function, or
 *   PSA_ERROR_INVALID_ARGUMENT       a buffer, or the message, is not the client's
 *   PSA_ERROR_INSUFFICIENT_MEMORY    inputs and outputs together have no room on the other side
 *   PSA_ERROR_COMMUNICATION_FAILURE  the transport does not reach the other side
 * Then the reply is as it was sent.
 */
psa_status_t corral_wall_cross(struct corral_wall_call *call);

/* The same for a function that takes its only input in parts: as many messages as it needs. */
psa_status_t corral_wall_cross_in_pieces(struct corral_wall_call *call);

#endif
