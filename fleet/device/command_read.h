/* SPDX-License-Identifier: Apache-2.0 */
/* How a command comes to a device, and whether it is one, of who may command (PROTOCOL.md, 6). */
#ifndef FLEET_COMMAND_READ_H
#define FLEET_COMMAND_READ_H

#include "command.h"
#include "object_read.h"

#define FLEET_CONFIRMATION_SIZE 32u /* of a secret that was agreed on (pairing.h) */
#define FLEET_NONCE_SIZE 16u        /* of a challenge: what is guessed once in 2^128 */

/*
 * Verify a command that answers the challenge, and read it.
 *   as fleet_device_take_command() has it
 */
psa_status_t fleet_command_read(const struct fleet_identity *identity,
                                const struct fleet_commander *commander,
                                const uint8_t nonce[FLEET_NONCE_SIZE],
                                const struct fleet_coap_message *message,
                                struct fleet_command *command);

/*
 * Ask the broker at which the device is registered. The memory that this takes is given back before
 * a registration takes as much.
 *   as fleet_device_take_command() has it
 */
psa_status_t fleet_command_fetch(struct fleet_device *device,
                                 const struct fleet_commander *commander,
                                 struct fleet_command *command);

/*
 * fleet_device_report() of what is done, with a confirmation as value. There where FLEET_PAIRING.
 *   as fleet_device_report() has it
 */
psa_status_t fleet_command_confirm(struct fleet_device *device, const struct fleet_command *command,
                                   const uint8_t confirmation[FLEET_CONFIRMATION_SIZE]);

#endif
