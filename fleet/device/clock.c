/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#if FLEET_HAS_CLOCK

#define FOUR_BYTES 0x1au /* the head of such a number: it is from 1970 to 2106 (RFC 8949, 3.1) */
#define EARLIEST (UINT32_C(1) << 28) /* below it SenML has no time (RFC 8428, 4.5.3) */
/* Of the year 2046. Times from the application are counted from the moment in 31 bits,
 * whatever server answered in the broker's place. */
#define LATEST (EARLIEST + INT32_MAX)

/* A device has one clock. */
static struct {
    bool follows_broker;
    bool is_set;
    uint32_t set_to;
    uint32_t set_at; /* by the port's count of seconds, as what follows */
    uint32_t marked;
} state;

void fleet_clock_follow_broker(bool is_followed)
{
    state.follows_broker = is_followed;
    state.is_set = state.is_set && is_followed;
}

bool fleet_clock_follows_broker(void)
{
    return state.follows_broker;
}

void fleet_clock_take(const struct fleet_coap_message *answer)
{
    struct fleet_coap_option_value format;
    uint32_t time = 0;

    if (!state.follows_broker || answer->payload_length != 5 || answer->payload[0] != FOUR_BYTES ||
        !fleet_coap_find(answer, FLEET_COAP_CONTENT_FORMAT, &format) ||
        fleet_coap_number(&format) != FLEET_CONTENT_CBOR) {
        return;
    }
    for (uint8_t i = 1; i < 5; i++) {
        time = time << 8 | answer->payload[i];
    }
    if (time < EARLIEST || time > LATEST) {
        return;
    }
    state.is_set = true;
    state.set_to = time;
    state.set_at = fleet_port_uptime();
}

void fleet_clock_mark(void)
{
    state.marked = fleet_port_uptime();
}

void fleet_clock_read(struct fleet_moment *moment)
{
    const uint32_t now = fleet_port_uptime();

    *moment = (struct fleet_moment){0, now, FLEET_CLOCK_RUNS};
    const uint32_t time = fleet_port_time(&moment->since);
    if (time >= EARLIEST) {
        moment->source = FLEET_CLOCK_SYNCHRONISED;
        moment->time = time - (now - state.marked);
    } else if (state.is_set) {
        moment->source = FLEET_CLOCK_SET;
        moment->since = now - state.set_at;
        moment->time = state.set_to + (state.marked - state.set_at);
    }
}

#endif
