/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairing: a secret that only a device and its commander have (PROTOCOL.md, 6). Two commands
 * make it: the first offers a key, with which the device's second key agrees, and the second
 * shows that the other side came to the same secret. Between them the secret is only in
 * memory. Whenever power fails, the device is paired as before, anew, or not at all. All of
 * this is there where FLEET_PAIRING (identity.h), which needs FLEET_OBEYS (key.h), HKDF and
 * HMAC with SHA-256, and ECDH on the curve of the profile's agreement key.
 */
#ifndef FLEET_PAIRING_H
#define FLEET_PAIRING_H

#include "command.h"

/* A pairing on its way. All zero, there is none. It lives as long as the device's
 * identity, and is removed with it; a device that is started again removes it first. */
struct fleet_pairing {
    psa_key_derivation_operation_t operation; /* the next message is the other's confirmation */
    uint8_t id[FLEET_IDENTITY_SIZE];          /* of the device when it began */
    bool is_offered;
};

/*
 * Carry out a command if it is one of pairing, and tell what became of it. A call of this
 * permits pairing; a device with a button calls it while that is pressed. Afterwards the key
 * fleet_identity_pairing() is there: HMAC with SHA-256, to sign and to verify messages; it
 * cannot be exported, and goes with the identity. One of an earlier pairing is destroyed
 * before.
 * Returns whether it was one. false: the command is the application's, and was neither carried out
 * nor reported.
 *   *is_paired  whether this command completed a pairing, also if telling it failed
 *   *status     how it ended, written if it is one:
 *   PSA_ERROR_DOES_NOT_EXIST    no commander waits for the result any more
 *   PSA_ERROR_INVALID_ARGUMENT  what was offered is no key for this device's, or of small order
 *   PSA_ERROR_INVALID_SIGNATURE the other side has another secret; the offer is forgotten
 *   PSA_ERROR_BAD_STATE         nothing was offered to this identity
 *   whatever else agreeing, deriving, destroying and making keys, and fleet_device_report() return
 */
bool fleet_pairing_take(struct fleet_device *device, struct fleet_pairing *pairing,
                        const struct fleet_command *command, bool *is_paired, psa_status_t *status);

/* Forget an offer. */
void fleet_pairing_forget(struct fleet_pairing *pairing);

/* Forget an offer to a device whose identity is gone. */
void fleet_pairing_end(struct fleet_device *device);

#endif
