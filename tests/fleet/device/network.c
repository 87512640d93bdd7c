/* SPDX-License-Identifier: Apache-2.0 */
#include "network.h"

#include <string.h>

#include "../../harness/harness.h"

struct network_message network_sent[NETWORK_MESSAGES];
unsigned network_sent_count;
uint32_t network_time;
uint32_t network_time_since;
bool network_refuses_directory;

static struct network_message coming[NETWORK_MESSAGES];
static unsigned coming_count;
static uint32_t clock_now;
static network_server *server_now;
static bool is_broken;

void network_reset(uint32_t time, network_server *server)
{
    network_sent_count = 0;
    coming_count = 0;
    clock_now = time;
    server_now = server;
    is_broken = false;
    network_time = 0;
}

void network_break(void)
{
    is_broken = true;
}

uint32_t fleet_port_now(void)
{
    return clock_now;
}

uint32_t fleet_port_uptime(void)
{
    return clock_now / 1000u;
}

uint32_t fleet_port_time(uint32_t *since)
{
    *since = network_time != 0 ? network_time_since : *since;
    return network_time;
}

bool fleet_port_take_directory(void)
{
    return !network_refuses_directory;
}

bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    if (is_broken) {
        return false;
    }
    REQUIRE(network_sent_count < NETWORK_MESSAGES && length <= NETWORK_SIZE);
    struct network_message *sent = &network_sent[network_sent_count++];
    sent->time = clock_now;
    sent->peer = peer;
    sent->length = length;
    memcpy(sent->bytes, message, length);
    if (server_now != NULL) {
        server_now(sent);
    }
    return true;
}

void network_deliver(uint32_t delay, enum fleet_peer peer, const uint8_t *bytes, size_t length)
{
    unsigned at = coming_count++;

    REQUIRE(coming_count <= NETWORK_MESSAGES && length <= NETWORK_SIZE);
    for (; at > 0 && (int32_t)(coming[at - 1].time - (clock_now + delay)) > 0; at--) {
        coming[at] = coming[at - 1];
    }
    coming[at].time = clock_now + delay;
    coming[at].peer = peer;
    coming[at].length = length;
    memcpy(coming[at].bytes, bytes, length);
}

static void forget_first(void)
{
    coming_count--;
    memmove(coming, coming + 1, coming_count * sizeof coming[0]);
}

size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    while (coming_count > 0 && (int32_t)(coming[0].time - until) <= 0) {
        const struct network_message first = coming[0];
        forget_first();
        clock_now = first.time;
        if (first.peer == peer && first.length <= size) {
            memcpy(message, first.bytes, first.length);
            return first.length;
        }
    }
    clock_now = until;
    return 0;
}

struct fleet_coap_message network_read(const struct network_message *sent)
{
    struct fleet_coap_message message;

    REQUIRE(fleet_coap_read(sent->bytes, sent->length, &message) == FLEET_COAP_READ);
    return message;
}

void network_answer(uint32_t delay, const struct network_message *to,
                    const struct network_answer *answer)
{
    struct fleet_coap_head head = network_read(to).head;
    struct fleet_coap_writer writer;
    uint8_t bytes[128];

    head.type = (uint8_t)answer->type;
    head.code = answer->code;
    head.id = answer->id;
    if (answer->code == FLEET_COAP_EMPTY) {
        head.token_length = 0;
    }
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    if (answer->option != 0) {
        fleet_coap_option(&writer, answer->option, answer->value, answer->value_length);
    }
    network_deliver(delay, to->peer, bytes, fleet_coap_end(&writer));
}
