/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in keys: those that the board's elements came with, as the board's description lists them,
 * and the board's own, which the port has. Each has a slot of its own, so its identifier says where
 * it is, and never competes with others; it gets there when it is first used, that of an element
 * by attaching it (psa_attach_key()).
 *
 * The attestation key is for tokens alone (attestation/token.c): its policy permits nothing. Of the
 * hardware's unique key no slot ever holds more than what a caller's own key is derived from:
 * HMAC-SHA-256 of the caller's number with it. Who calls next gets another one into the slot.
 */
#ifndef CORRAL_CORE_KEYS_BUILTIN_H
#define CORRAL_CORE_KEYS_BUILTIN_H

#include <corral/builtin.h>
#include <psa/crypto.h>

/*
 * Put a built-in key into its slot, unless it is there already: from then on it is found.
 *   PSA_ERROR_INVALID_HANDLE         there is no such key, or the element has none in that place
 *   PSA_ERROR_NOT_PERMITTED          its place has been given to another key
 *   PSA_ERROR_NOT_SUPPORTED          nobody in this build serves keys of its type
 *   PSA_ERROR_COMMUNICATION_FAILURE  the element does not answer
 *   others                           from the port, which has the key, or the driver of HMAC
 */
psa_status_t corral_builtin_key_load(psa_key_id_t id);

#endif
