/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands to a device: PROTOCOL.md, 6. It asks for them at its broker, which nobody has to trust,
 * and obeys who has the identity that it was given, alone. The challenge that a command answers is
 * drawn for one call and forgotten with it, so that no command is handed out twice, whenever power
 * fails: nothing of it is stored. All of this is there where FLEET_OBEYS (key.h).
 */
#ifndef FLEET_COMMAND_H
#define FLEET_COMMAND_H

#include "device.h"

#define FLEET_COMMAND_NAME_SIZE 32u
#ifndef FLEET_ARGUMENT_SIZE
#define FLEET_ARGUMENT_SIZE (FLEET_PAIRING ? 65u : 32u) /* of a text or bytes */
#endif

/* Who may command a device. */
struct fleet_commander {
    uint8_t id[FLEET_IDENTITY_SIZE]; /* its identity, or of the group that it is a member of */
    bool is_known;                   /* false: whoever commands first, from then on alone */
};

enum fleet_argument {
    FLEET_NOTHING,
    FLEET_BOOLEAN,
    FLEET_INTEGER,
    FLEET_TEXT,
    FLEET_DATA,
    FLEET_OTHER, /* longer or larger than there is room for; refuse it */
};

/* A command that was verified. */
struct fleet_command {
    char name[FLEET_COMMAND_NAME_SIZE + 1u];
    uint8_t kind;                           /* enum fleet_argument */
    uint8_t length;                         /* of `data` */
    int32_t number;                         /* an integer, or of a Boolean 0 or 1 */
    uint8_t data[FLEET_ARGUMENT_SIZE + 1u]; /* a text, with a zero behind it, or bytes */
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
};

/* What became of a command; from FLEET_OF_APPLICATION on what the application means by it. */
enum fleet_result {
    FLEET_DONE = 0,
    FLEET_UNKNOWN_COMMAND = 1,
    FLEET_WRONG_ARGUMENT = 2,
    FLEET_FAILED = 3,
    FLEET_OF_APPLICATION = 16,
};

/*
 * Ask for a command, after a registration if there is none. What it hands out is to be carried out
 * now, and told of by fleet_device_report(). It waits some seconds for a command that is being
 * signed, and none if nobody wants to command.
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
 *   PSA_ERROR_DOES_NOT_EXIST  nobody waits for it any more
 *   and as fleet_device_register() has it
 */
psa_status_t fleet_device_report(struct fleet_device *device, const struct fleet_command *command,
                                 uint8_t result, const int32_t *value);

#endif
