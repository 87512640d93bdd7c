/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device of a fleet, for its application: after one start it registers itself and
 * publishes measurements with verifiable signatures (docs/fleet/PROTOCOL.md). Functions
 * wait for answers; there is no thread, no interrupt and no heap behind them.
 */
#ifndef FLEET_DEVICE_H
#define FLEET_DEVICE_H

#include "registration.h"
#include "senml.h"
#include "state.h"

/*
 * Start: take up the identity or make one, and continue its sequence. psa_crypto_init() was called.
 *   whatever fleet_identity_start(), fleet_sequence_start() and fleet_link_begin() return
 */
psa_status_t fleet_device_start(struct fleet_device *device, const struct fleet_settings *settings);

/*
 * Publish measurements under one signature, after a registration if there is none.
 * PSA_SUCCESS after a confirmable one means that the broker reported permanent storage.
 * After another one it means that the message was sent and no error came back. No answer is
 * signed: an attacker that sees the request can forge one in the broker's place.
 *   PSA_ERROR_INVALID_ARGUMENT  count is 0
 *   and as fleet_device_register() has it; FLEET_PACK_SIZE may be too small, too
 */
psa_status_t fleet_device_publish(struct fleet_device *device, const struct fleet_record *records,
                                  uint8_t count);

/*
 * Make a new identity and destroy the old keys; the device has to be enrolled anew.
 * Returns the statuses of fleet_identity_reset() and fleet_sequence_start(). After an error
 * fleet_device_start() goes on. Until then the device signs with unused numbers, or not at all.
 */
psa_status_t fleet_device_reset(struct fleet_device *device);

/*
 * fleet_device_reset() for the same owner: the old key signs its successor before it is destroyed.
 * A broker at which the old identity has registered then accepts the new one in its place, without
 * another enrolment. The signed statement is stored. Each registration sends it before the new
 * identity is registered, until the broker confirms that one. A reset forgets it. Before giving the
 * device away, call fleet_device_reset() instead. There where FLEET_HANDS_OVER (identity.h).
 *   PSA_ERROR_NOT_PERMITTED  the device is in a group, which has no place of its own to hand over;
 *                            nothing was changed
 *   PSA_ERROR_BAD_STATE      the broker does not know of an earlier hand-over yet; nothing was
 *                            changed
 *   PSA_ERROR_BUFFER_TOO_SMALL  FLEET_STATEMENT_SIZE is
 *   whatever else fleet_hand_over() and fleet_sequence_start() return, as
 *   fleet_device_reset() has it; if the new identity counts, the statement is stored
 */
psa_status_t fleet_device_hand_over(struct fleet_device *device);

#endif
