/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request and its answer (RFC 7252, 4 and 5): sent again until it is acknowledged, answered with
 * the acknowledgement or apart from it, one request at a time. Calls block until the answer.
 */
#ifndef FLEET_EXCHANGE_H
#define FLEET_EXCHANGE_H

#include <psa/crypto.h>

#include "coap.h"
#include "port.h"

/* Milliseconds, and numbers, of RFC 7252, 4.8. */
#define FLEET_ACK_TIMEOUT 2000u
#define FLEET_ACK_RANDOM 1000u /* the largest addition of ACK_RANDOM_FACTOR */
#define FLEET_MAX_RETRANSMIT 4u
#define FLEET_SEPARATE_WAIT 93000u /* MAX_TRANSMIT_WAIT, for an answer apart */

/* How long to wait for the answer to a message that is not acknowledged. */
#ifndef FLEET_NON_WAIT
#define FLEET_NON_WAIT 1000u
#endif

#define FLEET_TOKEN_SIZE 4u /* random, the least for the open Internet (5.3.1) */
#ifndef FLEET_ANSWER_SIZE
#define FLEET_ANSWER_SIZE 264u /* a command by a group of two with keys on P-256 */
#endif

/* State that lasts from one request to the next. */
struct fleet_link {
    uint16_t next_id;
    uint16_t answered_id; /* of the latest answer that came apart and was acknowledged */
    bool has_answered;    /* whether there was one */
    uint8_t echo_peer;    /* enum fleet_peer: whose challenge it is */
    uint8_t echo_length;  /* 0: none */
    uint8_t echo[FLEET_COAP_MAX_ECHO];
};

/* How an exchange ended. */
enum fleet_outcome {
    FLEET_ANSWERED, /* the answer's code says with what */
    FLEET_RESET,    /* the peer does not want the message, or does not know what it belongs to */
    FLEET_SILENT,   /* nothing came in all the time that the protocol gives it */
    FLEET_UNSENT,   /* it could not be sent */
};

/* An answer, and the memory that it points into. */
struct fleet_answer {
    struct fleet_coap_message message;
    uint8_t bytes[FLEET_ANSWER_SIZE];
};

/*
 * Begin: draw where the numbers of messages begin (4.4).
 *   whatever psa_generate_random() returns
 */
psa_status_t fleet_link_begin(struct fleet_link *link);

/*
 * Write the head of a request: the next number, a token of its own.
 *   whatever psa_generate_random() returns
 */
psa_status_t fleet_link_head(struct fleet_link *link, enum fleet_coap_type type, uint8_t code,
                             struct fleet_coap_head *head);

/* Add the latest challenge of this peer to a request (RFC 9175, 2.3), if there is one. */
void fleet_link_echo(const struct fleet_link *link, enum fleet_peer peer,
                     struct fleet_coap_writer *writer);

/*
 * Send a request, which was written with fleet_link_head(), and wait for the answer. A challenge in
 * the answer is kept for fleet_link_echo(). Other messages meanwhile are acknowledged
 * again if they were before, and rejected otherwise.
 *   answer  written if FLEET_ANSWERED comes out
 */
enum fleet_outcome fleet_exchange(struct fleet_link *link, enum fleet_peer peer,
                                  const uint8_t *request, size_t length,
                                  struct fleet_answer *answer);

#endif
