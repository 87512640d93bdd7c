/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in keys: those that the board's elements came with, as the board's description lists them,
 * and the board's own, which the port has. Each has a slot of its own, so its identifier says where
 * it is, and never competes with others; it gets there when it is first used, that of an element
 * by attaching it (psa_attach_key()).
 *
 * The board's own keys are in their slots only while they are held: they lack
 * PSA_KEY_USAGE_CACHE. The attestation key is only for tokens (attestation/token.c):
 * its policy permits nothing. The hardware's unique key itself is in no slot: the slot
 * holds HMAC-SHA-256 of the caller's number with it.
 */
#ifndef CORRAL_CORE_KEYS_BUILTIN_H
#define CORRAL_CORE_KEYS_BUILTIN_H

#include <corral/builtin.h>
#include <psa/crypto.h>

#include "key.h"

/*
 * Hold a built-in key, after putting it into its slot unless it is there already.
 *   PSA_ERROR_INVALID_HANDLE         there is no such key, or the element has none in that place
 *   PSA_ERROR_NOT_PERMITTED          its place has been given to another key
 *   PSA_ERROR_NOT_SUPPORTED          this build does not support keys of its type
 *   PSA_ERROR_COMMUNICATION_FAILURE  the element does not answer
 *   PSA_ERROR_INSUFFICIENT_MEMORY    more calls use the key at once than can be counted (255)
 *   others                           from the port, which has the key, or the driver of HMAC
 */
psa_status_t corral_builtin_key_hold(psa_key_id_t id, struct corral_key **key);

/* Give back a hold of one of the board's own keys. */
void corral_builtin_key_unhold(struct corral_key *key);

#endif
