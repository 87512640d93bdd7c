/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands to a device: PROTOCOL.md, 6. It asks for them at its broker, which needs no trust,
 * and obeys only the identity that it was given. The challenge that a command answers is drawn
 * for one call and forgotten with it, so that no command is handed out twice, whenever power
 * fails: nothing of it is stored. All of this is there where FLEET_OBEYS (key.h).
 */
#ifndef FLEET_COMMAND_H
#define FLEET_COMMAND_H

#include "command_read.h"
#include "state.h"

/* Results of a command; the application defines those from FLEET_OF_APPLICATION on. */
enum fleet_result {
    FLEET_DONE = 0,
    FLEET_UNKNOWN_COMMAND = 1,
    FLEET_WRONG_ARGUMENT = 2,
    FLEET_FAILED = 3,
    FLEET_OF_APPLICATION = 16,
};

/*
 * Ask for a command, after a registration if there is none. Execute the command that it
 * returns at once, and report it by fleet_device_report(). It waits some seconds for a
 * command that is being signed, and does not wait if no command is announced.
 *   PSA_ERROR_DOES_NOT_EXIST     there is none
 *   PSA_ERROR_INVALID_SIGNATURE  what came is none for this device, of its commander, and fresh
 *   and as fleet_device_register() has it, what drawing a challenge, verifying and, before the
 *   commander is known, psa_its_* return
 */
psa_status_t fleet_device_take_command(struct fleet_device *device,
                                       const struct fleet_commander *commander,
                                       struct fleet_command *command);

/*
 * Tell what became of a command, signed. It may be told again.
 *   value  an integer that the command was for; NULL: none
 *   PSA_ERROR_DOES_NOT_EXIST  no commander waits for it any more
 *   and as fleet_device_register() has it
 */
psa_status_t fleet_device_report(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value);

/*
 * Ask the broker at which the device is registered. The memory that this takes is given back before
 * a registration takes as much.
 *   as fleet_device_take_command() has it
 */
psa_status_t fleet_command_fetch(struct fleet_device *device,
                                 const struct fleet_commander *commander,
                                 struct fleet_command *command);

/*
 * fleet_device_report() of a success, with a confirmation as value. There where FLEET_PAIRING.
 *   as fleet_device_report() has it
 */
psa_status_t fleet_command_confirm(struct fleet_device *device, const struct fleet_command *command,
                                   const uint8_t confirmation[FLEET_CONFIRMATION_SIZE]);

#endif
