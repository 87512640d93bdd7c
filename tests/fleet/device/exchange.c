/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and answers over a network that loses, repeats and confuses, on a clock of its own. */
#include <string.h>

#include "../../../fleet/device/exchange.h"
#include "../../harness/harness.h"
#include "network.h"

static struct fleet_link link;
static struct fleet_answer answer;
static unsigned deaf_for; /* messages that the server does not get */

/* Send a request of this type to the broker. */
static enum fleet_outcome ask(enum fleet_coap_type type)
{
    struct fleet_coap_head head;
    struct fleet_coap_writer writer;
    uint8_t message[32];

    NEED(fleet_link_head(&link, type, FLEET_COAP_GET, &head));
    fleet_coap_begin(&writer, message, sizeof message, &head);
    fleet_coap_path(&writer, FLEET_COAP_URI_PATH, "a");
    fleet_link_echo(&link, FLEET_BROKER, &writer);
    return fleet_exchange(&link, FLEET_BROKER, message, fleet_coap_end(&writer), &answer);
}

static void begin(uint32_t time, network_server *server)
{
    network_reset(time, server);
    NEED(fleet_link_begin(&link));
    deaf_for = 0;
}

static uint16_t id_of(const struct network_message *sent)
{
    return network_read(sent).head.id;
}

static bool is_request(const struct network_message *sent)
{
    return FLEET_COAP_CLASS(network_read(sent).head.code) == 0 &&
           network_read(sent).head.code != FLEET_COAP_EMPTY;
}

static void reply(const struct network_message *sent, uint32_t delay, enum fleet_coap_type type,
                  uint8_t code, uint16_t id)
{
    const struct network_answer made = {type, code, id, 0, NULL, 0};

    network_answer(delay, sent, &made);
}

/* Answers with the acknowledgement, once it has ears. */
static void prompt(const struct network_message *sent)
{
    if (deaf_for > 0) {
        deaf_for--;
    } else if (is_request(sent)) {
        reply(sent, 50, FLEET_COAP_ACK, FLEET_COAP_CONTENT, id_of(sent));
    }
}

static void answer__with_the_acknowledgement__ends_the_exchange(void)
{
    begin(UINT32_MAX - 20, prompt); /* the clock goes round meanwhile */
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    CHECK(answer.message.head.code == FLEET_COAP_CONTENT);
    CHECK(network_sent_count == 1 && fleet_port_now() == 29);
}

static void silence__lasts_as_long_as_rfc_7252_says(void)
{
    begin(UINT32_MAX - 30000, NULL);
    CHECK(ask(FLEET_COAP_CON) == FLEET_SILENT);
    REQUIRE(network_sent_count == 1 + FLEET_MAX_RETRANSMIT);
    const uint32_t first = network_sent[1].time - network_sent[0].time;
    CHECK(first >= 2000 && first <= 3000);
    for (unsigned i = 1; i < network_sent_count; i++) {
        CHECK(network_sent[i].time - network_sent[i - 1].time == first << (i - 1));
        CHECK_BYTES(network_sent[i].bytes, network_sent[i].length, network_sent[0].bytes,
                    network_sent[0].length);
    }
    CHECK(fleet_port_now() - network_sent[0].time == 31 * first);
}

static void first_wait__of_many_requests__is_not_always_the_same(void)
{
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;

    for (unsigned i = 0; i < 40; i++) {
        begin(0, NULL);
        CHECK(ask(FLEET_COAP_CON) == FLEET_SILENT);
        const uint32_t first = network_sent[1].time;
        least = first < least ? first : least;
        most = first > most ? first : most;
    }
    CHECK(most - least > 200);
}

static void lost_requests__up_to_four__are_answered(void)
{
    for (unsigned lost = 0; lost <= FLEET_MAX_RETRANSMIT; lost++) {
        begin(1000, prompt);
        deaf_for = lost;
        CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
        CHECK(network_sent_count == lost + 1);
    }
}

/* Acknowledges at once, and answers later, in a message of its own. */
static void slow(const struct network_message *sent)
{
    if (is_request(sent)) {
        reply(sent, 10, FLEET_COAP_ACK, FLEET_COAP_EMPTY, id_of(sent));
        reply(sent, 60000, FLEET_COAP_CON, FLEET_COAP_CHANGED, 0x7777);
        reply(sent, 62000, FLEET_COAP_CON, FLEET_COAP_CHANGED, 0x7777);
    }
}

static void answer_apart__is_acknowledged_each_time(void)
{
    begin(0, slow);
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    CHECK(answer.message.head.code == FLEET_COAP_CHANGED && fleet_port_now() == 60000);
    REQUIRE(network_sent_count == 2);
    const struct fleet_coap_head head = network_read(&network_sent[1]).head;
    CHECK(head.type == FLEET_COAP_ACK && head.code == FLEET_COAP_EMPTY && head.id == 0x7777);
    /* Its repetition comes during the next exchange. */
    CHECK(ask(FLEET_COAP_NON) == FLEET_SILENT);
    CHECK(ask(FLEET_COAP_NON) == FLEET_SILENT);
    CHECK(ask(FLEET_COAP_NON) == FLEET_SILENT);
    unsigned acknowledged = 0;
    for (unsigned i = 2; i < network_sent_count; i++) {
        const struct fleet_coap_head again = network_read(&network_sent[i]).head;
        acknowledged += again.type == FLEET_COAP_ACK && again.id == 0x7777;
        CHECK(again.type != FLEET_COAP_RST);
    }
    CHECK(acknowledged == 1);
}

/* Acknowledges again and again, and never answers. */
static void teasing(const struct network_message *sent)
{
    if (is_request(sent)) {
        for (uint32_t i = 0; i < 20; i++) {
            reply(sent, 10 + i * 9000, FLEET_COAP_ACK, FLEET_COAP_EMPTY, id_of(sent));
        }
    }
}

static void acknowledgements__without_end__do_not_hold_the_exchange(void)
{
    begin(0, teasing);
    CHECK(ask(FLEET_COAP_CON) == FLEET_SILENT);
    CHECK(fleet_port_now() <= 10 + FLEET_SEPARATE_WAIT + FLEET_SEPARATE_WAIT / 10);
    CHECK(network_sent_count == 1);
}

/* Sends everything that is no answer to the request, and then an answer. */
static void confused(const struct network_message *sent)
{
    struct network_message other = *sent;

    if (!is_request(sent)) {
        return;
    }
    other.bytes[4] ^= 1u; /* another token */
    reply(&other, 10, FLEET_COAP_ACK, FLEET_COAP_CONTENT, id_of(sent));
    reply(sent, 20, FLEET_COAP_ACK, FLEET_COAP_CONTENT, (uint16_t)(id_of(sent) + 1));
    reply(sent, 30, FLEET_COAP_RST, FLEET_COAP_EMPTY, (uint16_t)(id_of(sent) - 1));
    reply(&other, 40, FLEET_COAP_CON, FLEET_COAP_CONTENT, 0x1111);
    reply(sent, 50, FLEET_COAP_CON, FLEET_COAP_GET, 0x2222);   /* a request */
    reply(sent, 60, FLEET_COAP_CON, FLEET_COAP_EMPTY, 0x3333); /* a ping */
    network_deliver(70, FLEET_BROKER, (const uint8_t *)"\x40\x45\x44\x44\xff", 5);
    network_deliver(80, FLEET_BROKER, (const uint8_t *)"\x50\x45\x44\x44\xff", 5);
    network_deliver(90, FLEET_BROKER, (const uint8_t *)"junk", 4);
    const struct network_answer critical = {
        FLEET_COAP_ACK, FLEET_COAP_CONTENT, id_of(sent), 23, "\x08", 1};
    network_answer(100, sent, &critical);
    for (uint8_t code = 0x20; code != 0; code = (uint8_t)(code + 0x20)) {
        if (FLEET_COAP_CLASS(code) == 1 || FLEET_COAP_CLASS(code) > 5) { /* reserved classes */
            reply(sent, 105, FLEET_COAP_ACK, code, id_of(sent));
        }
    }
    reply(sent, 110, FLEET_COAP_NON, FLEET_COAP_CHANGED, 0x5555);
}

static void what_is_no_answer__is_rejected_where_that_is_asked_for(void)
{
    static const uint16_t rejected[] = {0x1111, 0x2222, 0x3333, 0x4444};

    begin(0, confused);
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    CHECK(answer.message.head.code == FLEET_COAP_CHANGED && fleet_port_now() == 110);
    REQUIRE(network_sent_count == 5);
    for (unsigned i = 1; i < 5; i++) {
        const struct fleet_coap_head head = network_read(&network_sent[i]).head;
        CHECK(head.type == FLEET_COAP_RST && head.code == FLEET_COAP_EMPTY);
        CHECK(head.id == rejected[i - 1] && network_sent[i].length == 4);
    }
}

/* An answer whose token lacks the last byte, which is zero, then one with the whole token. */
static void shortening(const struct network_message *sent)
{
    uint8_t bytes[4 + FLEET_TOKEN_SIZE - 1];

    memcpy(bytes, sent->bytes, sizeof bytes);
    bytes[0] = 0x60 | (FLEET_TOKEN_SIZE - 1);
    bytes[1] = FLEET_COAP_CONTENT;
    network_deliver(10, FLEET_BROKER, bytes, sizeof bytes);
    reply(sent, 20, FLEET_COAP_ACK, FLEET_COAP_CHANGED, id_of(sent));
}

static void answer__with_a_part_of_the_token__is_none(void)
{
    struct fleet_coap_head head;
    struct fleet_coap_writer writer;
    uint8_t message[32];

    begin(0, shortening);
    NEED(fleet_link_head(&link, FLEET_COAP_CON, FLEET_COAP_GET, &head));
    head.token[FLEET_TOKEN_SIZE - 1] = 0;
    fleet_coap_begin(&writer, message, sizeof message, &head);
    CHECK(fleet_exchange(&link, FLEET_BROKER, message, fleet_coap_end(&writer), &answer) ==
          FLEET_ANSWERED);
    CHECK(answer.message.head.code == FLEET_COAP_CHANGED);
}

static void refusing(const struct network_message *sent)
{
    reply(sent, 5, FLEET_COAP_RST, FLEET_COAP_EMPTY, id_of(sent));
}

static void reset__ends_requests_of_both_kinds(void)
{
    begin(0, refusing);
    CHECK(ask(FLEET_COAP_CON) == FLEET_RESET);
    CHECK(ask(FLEET_COAP_NON) == FLEET_RESET);
    network_break();
    CHECK(ask(FLEET_COAP_CON) == FLEET_UNSENT);
}

/* A challenge with each answer. */
static void challenging(const struct network_message *sent)
{
    const struct network_answer made = {FLEET_COAP_ACK,  FLEET_COAP_UNAUTHORIZED, id_of(sent),
                                        FLEET_COAP_ECHO, "\x11\x22\x33",          3};
    network_answer(5, sent, &made);
}

static void challenge__is_kept_for_its_peer(void)
{
    struct fleet_coap_option_value option;

    begin(0, challenging);
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    const struct fleet_coap_message first = network_read(&network_sent[0]);
    const struct fleet_coap_message second = network_read(&network_sent[1]);
    CHECK(!fleet_coap_find(&first, FLEET_COAP_ECHO, &option));
    REQUIRE(fleet_coap_find(&second, FLEET_COAP_ECHO, &option));
    CHECK_BYTES(option.value, option.length, (const uint8_t *)"\x11\x22\x33", 3);
    link.echo_peer = FLEET_DIRECTORY;
    CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
    const struct fleet_coap_message third = network_read(&network_sent[2]);
    CHECK(!fleet_coap_find(&third, FLEET_COAP_ECHO, &option));
}

static void requests__have_numbers_in_a_row_and_tokens_of_their_own(void)
{
    begin(0, prompt);
    for (unsigned i = 0; i < 8; i++) {
        CHECK(ask(FLEET_COAP_CON) == FLEET_ANSWERED);
        const struct fleet_coap_head head = network_read(&network_sent[i]).head;
        CHECK(head.token_length == 4);
        CHECK(i == 0 || head.id == (uint16_t)(id_of(&network_sent[i - 1]) + 1));
        CHECK(i == 0 || memcmp(network_sent[i].bytes + 4, network_sent[i - 1].bytes + 4, 4) != 0);
    }
}

static const struct test_case tests[] = {
    TEST(answer__with_the_acknowledgement__ends_the_exchange),
    TEST(silence__lasts_as_long_as_rfc_7252_says),
    TEST(first_wait__of_many_requests__is_not_always_the_same),
    TEST(lost_requests__up_to_four__are_answered),
    TEST(answer_apart__is_acknowledged_each_time),
    TEST(acknowledgements__without_end__do_not_hold_the_exchange),
    TEST(what_is_no_answer__is_rejected_where_that_is_asked_for),
    TEST(answer__with_a_part_of_the_token__is_none),
    TEST(reset__ends_requests_of_both_kinds),
    TEST(challenge__is_kept_for_its_peer),
    TEST(requests__have_numbers_in_a_row_and_tokens_of_their_own),
};
TEST_SUITE(exchange, tests);
