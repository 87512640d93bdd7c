/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of a device's messages. A build may change it. */
#ifndef FLEET_SIZES_H
#define FLEET_SIZES_H

#include "identity.h"

/* 1: readings are JWS over SenML in JSON (jws.h) instead of COSE_Sign1, which libraries for the web
 * can verify. They take three times the bytes. */
#ifndef FLEET_JWS
#define FLEET_JWS 0
#endif

/* Room for a message, for a statement in it, for a pack, and for the path of the topic's data. */
#ifndef FLEET_MESSAGE_SIZE
#define FLEET_MESSAGE_SIZE (FLEET_JWS ? 744u : 464u)
#endif
#ifndef FLEET_STATEMENT_SIZE
#define FLEET_STATEMENT_SIZE 224u
#endif
#ifndef FLEET_PACK_SIZE
#define FLEET_PACK_SIZE (FLEET_JWS ? 288u : 160u)
#endif
#ifndef FLEET_PATH_SIZE
#define FLEET_PATH_SIZE 48u
#endif

/* Size of a statement about a successor, with the other parts of a signed object: head,
 * protected header, number, signer, head of the payload, signature. */
#define FLEET_HANDOVER_SIZE                                                                        \
    (FLEET_STATEMENT_SIZE + 1u + 4u + 11u + (2u + FLEET_IDENTITY_SIZE) + 3u + 66u)

#endif
