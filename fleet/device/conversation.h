/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of registering and publishing: messages with signed objects, and the meaning of
 * answers. */
#ifndef FLEET_CONVERSATION_H
#define FLEET_CONVERSATION_H

#include "object.h"
#include "state.h"

/* Times that something is tried again at once, because the answer said how. */
#define FLEET_TRIES 4u

/* Seconds before the next request to a peer after its first rejection, and after many
 * (PROTOCOL.md, 5). A peer that asks for more time gets no more than the second, either. */
#define FLEET_REFUSED_WAIT 60u
#define FLEET_REFUSED_WAIT_MAX 3600u

#define FLEET_CONTENT_COSE_SIGN1 18u /* RFC 9052, 2 */
#define FLEET_CONTENT_JWS 65000u     /* PROTOCOL.md, 5: of those for experiments */

/* The use of the peer's latest challenge by a request. */
enum fleet_echo {
    FLEET_NO_ECHO,
    FLEET_ECHO,      /* it answers it, if there is one */
    FLEET_ECHO_ONCE, /* and so does no other */
};

/* Special properties of a request. */
enum fleet_special {
    FLEET_ORDINARY,
    FLEET_OF_HANDOVER, /* its payload is the stored statement of a hand-over */
    FLEET_WANTS_TIME,  /* the answer is to say what time it is */
};

/* A request to a peer. */
struct fleet_request {
    const char *path;
    const char *more;            /* the last segment of the path; NULL: none */
    const char *query;           /* NULL: none */
    struct fleet_object *object; /* to be signed as the payload; NULL: none */
    uint8_t peer;                /* enum fleet_peer */
    uint8_t code;
    uint8_t echo; /* enum fleet_echo */
    bool has_format;
    bool is_unconfirmed; /* no answer is needed; success asks for no answer */
    uint8_t special;     /* enum fleet_special */
};

/*
 * Send a request and wait for the answer.
 *   object->number  is taken here
 *   answer  its code is FLEET_COAP_EMPTY if an unconfirmed request got none. What is signed may
 *           be in its memory: that is not written before the request is
 *   PSA_ERROR_COMMUNICATION_FAILURE  no answer: if it was a reading, the device is not
 *                                    registered any more. Or an element did not, which changes
 *                                    nothing
 *   PSA_ERROR_BUFFER_TOO_SMALL       FLEET_MESSAGE_SIZE is
 *   whatever else psa_generate_random(), fleet_sequence_take(), fleet_object_sign() and
 *   fleet_handover_read() return
 */
psa_status_t fleet_ask(struct fleet_device *device, const struct fleet_request *request,
                       struct fleet_answer *answer);

/* Whether the pause that a peer asked for is not over. */
bool fleet_has_to_wait(struct fleet_device *device, enum fleet_peer peer);

/* Send nothing to a peer for that long, at most 49 days, from now on. */
void fleet_wait(struct fleet_device *device, enum fleet_peer peer, uint32_t seconds);

/* The pause in seconds after another rejection by a peer: twice as long as the last time. */
uint32_t fleet_backoff(struct fleet_device *device, enum fleet_peer peer);

/* Whether a peer has too much to do, and says for how long. */
static inline bool fleet_is_busy(uint8_t code)
{
    return code == FLEET_COAP_TOO_MANY || FLEET_COAP_CLASS(code) == 5;
}

/*
 * Record an answer that rejects a request: the device leaves the peer alone for a
 * while, and drops its registration if the peer is the broker.
 * Returns PSA_ERROR_NOT_PERMITTED.
 */
psa_status_t fleet_refused(struct fleet_device *device, enum fleet_peer peer,
                           const struct fleet_answer *answer);

#endif
