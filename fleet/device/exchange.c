/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange.h"

#include <string.h>

/* The meaning of a received message for the present request. */
enum event {
    NOTHING,
    ACKNOWLEDGED, /* the answer comes apart */
    ANSWERED,
    RESET,
};

psa_status_t fleet_link_begin(struct fleet_link *link)
{
    memset(link, 0, sizeof *link);
    return psa_generate_random((uint8_t *)&link->next_id, sizeof link->next_id);
}

psa_status_t fleet_link_head(struct fleet_link *link, enum fleet_coap_type type, uint8_t code,
                             struct fleet_coap_head *head)
{
    *head = (struct fleet_coap_head){(uint8_t)type, code, link->next_id++, FLEET_TOKEN_SIZE, {0}};
    return psa_generate_random(head->token, FLEET_TOKEN_SIZE);
}

void fleet_link_echo(const struct fleet_link *link, enum fleet_peer peer,
                     struct fleet_coap_writer *writer)
{
    if (link->echo_length > 0 && link->echo_peer == (uint8_t)peer) {
        fleet_coap_option(writer, FLEET_COAP_ECHO, link->echo, link->echo_length);
    }
}

/* Send an empty message: an acknowledgement or a rejection. */
static void send_empty(enum fleet_peer peer, enum fleet_coap_type type, uint16_t id)
{
    const struct fleet_coap_head head = {(uint8_t)type, FLEET_COAP_EMPTY, id, 0, {0}};
    struct fleet_coap_writer writer;
    uint8_t message[4];

    fleet_coap_begin(&writer, message, sizeof message, &head);
    (void)fleet_port_send(peer, message, fleet_coap_end(&writer));
}

/* Go over the options of an answer. false: it has one that must not be ignored, and is unknown. */
static bool read_options(struct fleet_link *link, enum fleet_peer peer,
                         const struct fleet_coap_message *message)
{
    struct fleet_coap_option_value option = {0};

    while (fleet_coap_next(message, &option)) {
        if (fleet_coap_is_critical(option.number)) {
            return false;
        }
        if (option.number == FLEET_COAP_ECHO && option.length > 0 &&
            option.length <= FLEET_COAP_MAX_ECHO) {
            memcpy(link->echo, option.value, option.length);
            link->echo_length = (uint8_t)option.length;
            link->echo_peer = (uint8_t)peer;
        }
    }
    return true;
}

/* Whether a message has the token of the request, and a code that answers. */
static bool is_answer(const struct fleet_coap_head *got, const struct fleet_coap_head *request)
{
    return FLEET_COAP_CLASS(got->code) >= 2 && FLEET_COAP_CLASS(got->code) <= 5 &&
           got->token_length == request->token_length &&
           memcmp(got->token, request->token, request->token_length) == 0;
}

/* An acknowledgement or a rejection, of this request or of another. */
static enum event take_reply(struct fleet_link *link, enum fleet_peer peer,
                             const struct fleet_coap_head *request,
                             const struct fleet_coap_message *message)
{
    const struct fleet_coap_head *got = &message->head;

    if (got->id != request->id) {
        return NOTHING;
    }
    if (got->type == FLEET_COAP_RST) {
        return got->code == FLEET_COAP_EMPTY ? RESET : NOTHING;
    }
    if (request->type != FLEET_COAP_CON) {
        return NOTHING;
    }
    if (got->code == FLEET_COAP_EMPTY) {
        return ACKNOWLEDGED;
    }
    return is_answer(got, request) && read_options(link, peer, message) ? ANSWERED : NOTHING;
}

/* An answer apart, one that was acknowledged before, or something that is not wanted. */
static enum event take_other(struct fleet_link *link, enum fleet_peer peer,
                             const struct fleet_coap_head *request,
                             const struct fleet_coap_message *message)
{
    const struct fleet_coap_head *got = &message->head;
    const bool is_wanted = is_answer(got, request) && read_options(link, peer, message);

    if (got->type == FLEET_COAP_CON) {
        const bool is_again = link->has_answered && link->answered_id == got->id;
        send_empty(peer, is_wanted || is_again ? FLEET_COAP_ACK : FLEET_COAP_RST, got->id);
        if (is_wanted) {
            link->answered_id = got->id;
            link->has_answered = true;
        }
    }
    return is_wanted ? ANSWERED : NOTHING;
}

static enum event take(struct fleet_link *link, enum fleet_peer peer,
                       const struct fleet_coap_head *request, struct fleet_answer *answer,
                       size_t length)
{
    const struct fleet_coap_message *message = &answer->message;

    switch (fleet_coap_read(answer->bytes, length, &answer->message)) {
    case FLEET_COAP_READ:
        return message->head.type >= FLEET_COAP_ACK ? take_reply(link, peer, request, message)
                                                    : take_other(link, peer, request, message);
    case FLEET_COAP_MALFORMED:
        if (message->head.type == FLEET_COAP_CON) {
            send_empty(peer, FLEET_COAP_RST, message->head.id);
        }
        return NOTHING;
    default:
        return NOTHING;
    }
}

/* Take what comes until something concerns the request, or until the clock shows `until`. */
static enum event await(struct fleet_link *link, enum fleet_peer peer,
                        const struct fleet_coap_head *request, struct fleet_answer *answer,
                        uint32_t until)
{
    for (;;) {
        const size_t length = fleet_port_receive(peer, answer->bytes, sizeof answer->bytes, until);
        if (length > 0) {
            const enum event event = take(link, peer, request, answer, length);
            if (event != NOTHING) {
                return event;
            }
        }
        /* Also after a message: endless messages must not keep the request waiting. */
        if ((int32_t)(until - fleet_port_now()) <= 0) {
            return NOTHING;
        }
    }
}

/* The first time to wait for an acknowledgement: between 1 and 1.5 times ACK_TIMEOUT. */
static uint32_t first_timeout(void)
{
    uint16_t draw = 0;

    (void)psa_generate_random((uint8_t *)&draw, sizeof draw);
    return FLEET_ACK_TIMEOUT + draw % (FLEET_ACK_RANDOM + 1u);
}

enum fleet_outcome fleet_exchange(struct fleet_link *link, enum fleet_peer peer,
                                  const uint8_t *request, size_t length,
                                  struct fleet_answer *answer)
{
    struct fleet_coap_message asked;
    enum event event = NOTHING;

    if (fleet_coap_read(request, length, &asked) != FLEET_COAP_READ) {
        return FLEET_UNSENT;
    }
    const bool is_confirmable = asked.head.type == FLEET_COAP_CON;
    uint8_t left = is_confirmable ? FLEET_MAX_RETRANSMIT : 0;
    uint32_t timeout = is_confirmable ? first_timeout() : FLEET_NON_WAIT;
    for (;; timeout *= 2) {
        if (!fleet_port_send(peer, request, length)) {
            return FLEET_UNSENT;
        }
        event = await(link, peer, &asked.head, answer, fleet_port_now() + timeout);
        if (event != NOTHING || left-- == 0) {
            break;
        }
    }
    const uint32_t end = fleet_port_now() + FLEET_SEPARATE_WAIT;
    while (event == ACKNOWLEDGED && (int32_t)(end - fleet_port_now()) > 0) {
        event = await(link, peer, &asked.head, answer, end);
    }
    return event == ANSWERED ? FLEET_ANSWERED : event == RESET ? FLEET_RESET : FLEET_SILENT;
}
