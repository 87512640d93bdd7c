/* SPDX-License-Identifier: Apache-2.0 */
#include "air.h"

#include <string.h>

#include "../../meter/counter.h"

#define DATAGRAM_SIZE 1500u
/* A flight of a handshake, each message of it in a datagram of its own. */
#define UNDER_WAY 8u

struct datagram {
    size_t length;
    uint8_t bytes[DATAGRAM_SIZE];
};

/* Datagrams of one side, and where the next goes and is. */
struct way {
    struct datagram datagrams[UNDER_WAY];
    size_t put;
    size_t taken;
    struct sent sent;
};

static struct way ways[2];
static uint64_t ticks;
static uint32_t turn_began;
static bool is_turn;

bool air_put(enum side from, const uint8_t *data, size_t length)
{
    struct way *const way = &ways[from];

    if (length > DATAGRAM_SIZE || way->put - way->taken == UNDER_WAY) {
        return false;
    }
    struct datagram *const next = &way->datagrams[way->put++ % UNDER_WAY];
    memcpy(next->bytes, data, length);
    next->length = length;
    way->sent.bytes += (uint32_t)length;
    way->sent.datagrams++;
    return true;
}

size_t air_take(enum side to, uint8_t *data, size_t size)
{
    struct way *const way = &ways[1 - to];

    if (way->taken == way->put) {
        return 0;
    }
    const struct datagram *const next = &way->datagrams[way->taken++ % UNDER_WAY];
    const size_t length = next->length < size ? next->length : size;
    memcpy(data, next->bytes, length);
    return length;
}

void air_begin(void)
{
    for (unsigned i = 0; i < 2; i++) {
        ways[i].sent = (struct sent){0, 0};
    }
    ticks = 0;
    is_turn = false;
}

void air_turn(bool is_devices)
{
    const uint32_t now = METER_COUNTER;

    if (is_turn) {
        ticks += now - turn_began;
    }
    is_turn = is_devices;
    turn_began = METER_COUNTER;
}

struct sent air_sent(enum side from)
{
    return ways[from].sent;
}

uint64_t air_ticks(void)
{
    return ticks;
}
