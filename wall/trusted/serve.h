/* SPDX-License-Identifier: Apache-2.0 */
/* The entrance of the trusted side. Transports call it; one call at a time. */
#ifndef CORRAL_WALL_TRUSTED_SERVE_H
#define CORRAL_WALL_TRUSTED_SERVE_H

#include <psa/crypto_types.h>

#include "../../core/common/owner.h"
#include "../call.h"

/*
 * For a transport whose clients outlive a reset of this side, before it serves the first
 * call. The numbers in handles of operations and in identifiers of volatile keys begin at
 * random. A number from before the reset names another object of the same client only with
 * the probability of its width (24 bits of a handle, 16 of an identifier). A transport that
 * resets its clients with this side does not call it, and the linker leaves it out. It
 * calls psa_crypto_init(), so what that needs of the port is there before.
 *   PSA_ERROR_NOT_SUPPORTED  the configuration has no random numbers; the numbers begin as always
 *   other                    as psa_crypto_init() or corral_random(): the same. The transport
 *                            accepts no calls, or runs without this.
 */
psa_status_t corral_wall_begin(void);

/*
 * Carry out a message of a client, which is in its memory, and write the reply into it. The
 * message and each input are copied before anything of them is looked at; outputs are written at
 * the end, zeros where the function failed and made its output zero. A client that takes its own
 * right to an output away during the call gets INVALID_ARGUMENT after the function ran; an output
 * before that one is written then, and the reply's lengths are 0.
 * Returns the status of the function, or why it was not called:
 *   PSA_ERROR_NOT_PERMITTED        client is 0
 *   PSA_ERROR_INVALID_ARGUMENT     the message or a buffer is not in memory of the client, or there
 *                                  is no such function
 *   PSA_ERROR_INSUFFICIENT_MEMORY  inputs and outputs have no room here, or another call is being
 *                                  served
 *   PSA_ERROR_BAD_STATE            a handle is not of an operation of this client and this kind
 */
psa_status_t corral_wall_serve(corral_owner_t client, struct corral_wall_call *message);

/*
 * A client was reset, or is gone: its operations are aborted and its volatile keys destroyed.
 *   PSA_ERROR_NOT_PERMITTED        client is 0
 *   PSA_ERROR_INSUFFICIENT_MEMORY  a call is being served, and nothing was done
 *   other                          the first failure of aborting an operation, which is forgotten
 *                                  nevertheless, or of destroying a key, which stays in its slot
 *                                  and is found no more. Later calls of this function,
 *                                  for any client, try again.
 */
psa_status_t corral_wall_forget(corral_owner_t client);

#endif
