/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device of a fleet, as its application sees it: started once, it registers itself and publishes
 * measurements that anybody can verify (docs/fleet/PROTOCOL.md). Functions wait for answers; there
 * is no thread, no interrupt and no heap behind them.
 */
#ifndef FLEET_DEVICE_H
#define FLEET_DEVICE_H

#include "exchange.h"
#include "identity.h"
#include "senml.h"
#include "sequence.h"

/* Whether readings are JWS over SenML in JSON (jws.h) instead of COSE_Sign1, for who verifies them
 * by what a web's library has. They take three times the bytes. */
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

/* Room for what is said of a successor, which is its statement and what a signed object has beside
 * that: head, protected header, number, signer, head of the payload, signature. */
#define FLEET_HANDOVER_SIZE                                                                        \
    (FLEET_STATEMENT_SIZE + 1u + 4u + 11u + (2u + FLEET_IDENTITY_SIZE) + 3u + 66u)

/* How a device takes part. Remembered by the device, not copied. */
struct fleet_settings {
    struct fleet_profile profile;
    uint8_t confirm_every;    /* every n-th reading is confirmable; 1: each */
    bool has_directory;       /* register there, too */
    const char *registration; /* path at the broker; NULL: "reg" */
    const char *directory;    /* path at the directory; NULL: "rd", or as it was found */
    const char *links;        /* in link-format, for the directory; NULL: none */
    const uint8_t *group;     /* identities of the group, ascending, its own among them */
    uint8_t group_size;       /* how many; 0: it is in none */
};

/* How long a peer is to be left alone: milliseconds of the port's clock, 0 if not at all. */
struct fleet_patience {
    uint32_t since;
    uint32_t duration;
};

struct fleet_device {
    /* Small and used often, so in front: farther off each use is a longer instruction. */
    const struct fleet_settings *settings;
    struct fleet_identity identity;
    bool is_registered; /* at the broker */
    bool is_in_directory;
    bool is_new_here; /* nothing was published since the registration */
    uint8_t since_confirmed;
    uint16_t backoff[2]; /* by enum fleet_peer: seconds after its latest refusal; 0: none */
    struct fleet_patience patience[2]; /* by enum fleet_peer */
    struct fleet_sequence sequence;
    struct fleet_link link;
    char path[FLEET_PATH_SIZE]; /* of the topic's data, without a slash in front */
#if FLEET_PAIRING
    struct fleet_pairing *pairing; /* to be forgotten with the identity; NULL: none */
#endif
};

/*
 * Start: take up the identity or make one, and continue its sequence. psa_crypto_init() was called.
 *   whatever fleet_identity_start(), fleet_sequence_start() and fleet_link_begin() return
 */
psa_status_t fleet_device_start(struct fleet_device *device, const struct fleet_settings *settings);

/*
 * Register at the broker and, if the settings say so, at the directory. Publishing does it when it
 * has to be done; an application calls this if it wants to know before. A directory that is silent
 * or refuses keeps no reading from the broker: it is tried again when it may be.
 *   PSA_ERROR_BAD_STATE              the broker asked for patience that is not over yet
 *   PSA_ERROR_COMMUNICATION_FAILURE  nobody answered
 *   PSA_ERROR_NOT_PERMITTED          refused; the next call within the time that the server asked
 *                                    for is PSA_ERROR_BAD_STATE. Without such a time it is one
 *                                    minute, and twice as long after each refusal, up to an hour
 *   PSA_ERROR_BUFFER_TOO_SMALL       FLEET_MESSAGE_SIZE, FLEET_STATEMENT_SIZE or FLEET_PATH_SIZE is
 *   whatever else taking a number and signing return
 */
psa_status_t fleet_device_register(struct fleet_device *device);

/*
 * Publish measurements under one signature, after a registration if there is none. PSA_SUCCESS
 * after a confirmable one means that the broker said to have it in permanent storage, after another
 * one that it was sent and nobody objected. No answer is signed: who sees the request can make one
 * up, in the broker's place.
 *   PSA_ERROR_INVALID_ARGUMENT  count is 0
 *   and as fleet_device_register() has it; FLEET_PACK_SIZE may be too small, too
 */
psa_status_t fleet_device_publish(struct fleet_device *device, const struct fleet_record *records,
                                  uint8_t count);

/*
 * Make a new identity and destroy the old keys; the device has to be enrolled anew.
 *   whatever fleet_identity_reset() and fleet_sequence_start() return; then fleet_device_start()
 *   goes on, and until then the device signs with numbers that were not used, or not at all
 */
psa_status_t fleet_device_reset(struct fleet_device *device);

/*
 * fleet_device_reset() for who keeps the device: the old key signs who succeeds it before it is
 * destroyed, so that a broker at which the old identity has registered lets in the new one in its
 * place, and nobody has to enrol it. What was signed is stored; each registration sends it before
 * the new identity is registered, until the broker says that it is. A reset forgets it. Who gives
 * the device away calls fleet_device_reset(). There where FLEET_HANDS_OVER (identity.h).
 *   PSA_ERROR_NOT_PERMITTED  the device is in a group, which has no place of its own to hand over;
 *                            nothing was changed
 *   PSA_ERROR_BAD_STATE      the broker does not know of an earlier hand-over yet; nothing was
 *                            changed
 *   PSA_ERROR_BUFFER_TOO_SMALL  FLEET_STATEMENT_SIZE is
 *   whatever else fleet_identity_hand_over() and fleet_sequence_start() return, as
 *   fleet_device_reset() has it; if the new identity counts, the statement is stored
 */
psa_status_t fleet_device_hand_over(struct fleet_device *device);

#endif
