/* SPDX-License-Identifier: Apache-2.0 */
/* Receiving and verifying commands of the authorised commander (PROTOCOL.md, 6). */
#ifndef FLEET_COMMAND_READ_H
#define FLEET_COMMAND_READ_H

#include "coap.h"
#include "object_read.h"

#define FLEET_COMMAND_NAME_SIZE 32u
#ifndef FLEET_ARGUMENT_SIZE
#define FLEET_ARGUMENT_SIZE (FLEET_PAIRING ? 65u : 32u) /* of a text or bytes */
#endif

/* The authorised commander of a device. */
struct fleet_commander {
    uint8_t id[FLEET_IDENTITY_SIZE]; /* its identity, or of the group that it is a member of */
    bool is_known;                   /* false: the first to command becomes it */
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

#define FLEET_CONFIRMATION_SIZE 32u /* of a secret that was agreed on (pairing.h) */
#define FLEET_NONCE_SIZE 16u        /* of a challenge: guessed with a probability of 2^-128 */

/*
 * Verify a command that answers the challenge, and read it.
 *   as fleet_device_take_command() has it
 */
psa_status_t fleet_command_read(const struct fleet_identity *identity,
                                const struct fleet_commander *commander,
                                const uint8_t nonce[FLEET_NONCE_SIZE],
                                const struct fleet_coap_message *message,
                                struct fleet_command *command);

#endif
