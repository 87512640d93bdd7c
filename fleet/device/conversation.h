/* SPDX-License-Identifier: Apache-2.0 */
/* What registering and publishing share: messages with signed objects, and what answers mean. */
#ifndef FLEET_CONVERSATION_H
#define FLEET_CONVERSATION_H

#include "device.h"
#include "object.h"

/* Times that something is tried again at once, because the answer said how. */
#define FLEET_TRIES 4u

/* Seconds to leave a peer alone after its first refusal, and after many (PROTOCOL.md, 5). A peer
 * that asks for more time gets no more than the second, either. */
#define FLEET_REFUSED_WAIT 60u
#define FLEET_REFUSED_WAIT_MAX 3600u

/* Seconds until the directory is told again: it holds an entry for 90,000 (RFC 9176, 5), and none
 * after it was started anew. */
#define FLEET_RENEWAL 43200u

#define FLEET_CONTENT_COSE_SIGN1 18u /* RFC 9052, 2 */
#define FLEET_CONTENT_CBOR 60u       /* RFC 7252, 12.3 */
#define FLEET_CONTENT_JWS 65000u     /* PROTOCOL.md, 5: of those for experiments */

/* What a request does with the challenge that its peer sent last. */
enum fleet_echo {
    FLEET_NO_ECHO,
    FLEET_ECHO,      /* it answers it, if there is one */
    FLEET_ECHO_ONCE, /* and so does no other */
};

/* What is special about a request. */
enum fleet_special {
    FLEET_ORDINARY,
    FLEET_OF_HANDOVER, /* its payload is what is stored of a hand-over */
    FLEET_WANTS_TIME,  /* the answer is to say what time it is */
};

/* What is asked of a peer. */
struct fleet_request {
    const char *path;
    const char *more;            /* the last segment of the path; NULL: none */
    const char *query;           /* NULL: none */
    struct fleet_object *object; /* to be signed as the payload; NULL: none */
    uint8_t peer;                /* enum fleet_peer */
    uint8_t code;
    uint8_t echo; /* enum fleet_echo */
    bool has_format;
    bool is_unconfirmed; /* nobody has to answer; success asks for no answer */
    uint8_t special;     /* enum fleet_special */
};

/*
 * Send a request and wait for the answer.
 *   object->number  is taken here
 *   answer  its code is FLEET_COAP_EMPTY if none came to what is_unconfirmed. What is signed may
 *           be in its memory: that is not written before the request is
 *   PSA_ERROR_COMMUNICATION_FAILURE  nobody answered: if it was a reading, the device is not
 *                                    registered any more. Or an element did not, which changes
 *                                    nothing
 *   PSA_ERROR_BUFFER_TOO_SMALL       FLEET_MESSAGE_SIZE is
 *   whatever else psa_generate_random(), fleet_sequence_take(), fleet_object_sign() and
 *   fleet_handover_read() return
 */
psa_status_t fleet_ask(struct fleet_device *device, const struct fleet_request *request,
                       struct fleet_answer *answer);

/* Whether the time for which a peer wants to be left alone is not over. */
bool fleet_has_to_wait(struct fleet_device *device, enum fleet_peer peer);

/* Leave a peer alone for that long, at most 49 days, from now on. */
void fleet_wait(struct fleet_device *device, enum fleet_peer peer, uint32_t seconds);

/* How many seconds to leave a peer alone that refused once more: twice as many as the last time. */
uint32_t fleet_backoff(struct fleet_device *device, enum fleet_peer peer);

/*
 * Register at the directory if the settings say so, and it is not to be left alone. The next time
 * is in FLEET_RENEWAL, or after a failure in fleet_backoff(), or when the directory said.
 */
void fleet_enter_directory(struct fleet_device *device);

/*
 * Take note of an answer that refuses: the device leaves the peer alone for a while, and is not
 * registered at the broker any more if it was that.
 * Returns PSA_ERROR_NOT_PERMITTED.
 */
psa_status_t fleet_refused(struct fleet_device *device, enum fleet_peer peer,
                           const struct fleet_answer *answer);

/* How a reading is sent, and whether it is to be sent again. */
struct fleet_manner {
    uint8_t tries; /* left after this one */
    bool is_confirmable;
    bool has_echo;        /* the broker asked for it */
    bool is_wanted_again; /* after a registration, if the device is not registered any more */
};

/*
 * Sign measurements that fit FLEET_PACK_SIZE, and send them once. The memory that this takes is
 * given back before a registration takes as much.
 *   manner  is changed to how they are to be sent again, if is_wanted_again
 *   as fleet_device_publish() has it
 */
psa_status_t fleet_send_reading(struct fleet_device *device, const struct fleet_record *records,
                                uint8_t count, struct fleet_manner *manner);

#endif
