/* SPDX-License-Identifier: Apache-2.0 */
/* The port of the tests: a clock that passes without waiting, and a scripted network. */
#ifndef TESTS_FLEET_NETWORK_H
#define TESTS_FLEET_NETWORK_H

#include "../../../fleet/device/coap.h"
#include "../../../fleet/device/port.h"

#define NETWORK_MESSAGES 32u
#define NETWORK_SIZE 512u

/* A message, and when it was sent or is to come. */
struct network_message {
    uint32_t time;
    enum fleet_peer peer;
    size_t length;
    uint8_t bytes[NETWORK_SIZE];
};

/* Messages sent since network_reset(). */
extern struct network_message network_sent[NETWORK_MESSAGES];
extern unsigned network_sent_count;

/*
 * The peer that answers: called for each sent message. NULL: no peer. It may call
 * network_deliver().
 */
typedef void network_server(const struct network_message *sent);

/* Nothing sent, nothing under way, the clock at `time`. */
void network_reset(uint32_t time, network_server *server);

/* Let a message of a peer arrive `delay` milliseconds from now; they arrive in order of time. */
void network_deliver(uint32_t delay, enum fleet_peer peer, const uint8_t *bytes, size_t length);

/* network_deliver() of an answer: to the message `to`, with that type, code, and number. */
struct network_answer {
    enum fleet_coap_type type;
    uint8_t code;
    uint16_t id;
    uint16_t option; /* 0: none */
    const void *value;
    size_t value_length;
};
void network_answer(uint32_t delay, const struct network_message *to,
                    const struct network_answer *answer);

/* Parses a sent message. */
struct fleet_coap_message network_read(const struct network_message *sent);

/* The port's synchronised clock, and the time of its last synchronisation; 0: it has no clock. */
extern uint32_t network_time;
extern uint32_t network_time_since;

/* Whether who sent a message to the group cannot be taken for the directory. */
extern bool network_refuses_directory;

/* Let sending fail. */
void network_break(void);

#endif
