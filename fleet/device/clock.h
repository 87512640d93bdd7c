/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources of the time, with their quality: PROTOCOL.md, 5. All of this is there where
 * FLEET_HAS_CLOCK (port.h).
 */
#ifndef FLEET_CLOCK_H
#define FLEET_CLOCK_H

#include "coap.h"
#include "port.h"

#define FLEET_CONTENT_CBOR 60u /* RFC 7252, 12.3 */

/* Where a time comes from. */
enum fleet_clock_source {
    FLEET_CLOCK_RUNS,         /* no source: the clock counts since the start */
    FLEET_CLOCK_SET,          /* from the broker, at a registration */
    FLEET_CLOCK_SYNCHRONISED, /* the service that keeps the port's clock right */
};

/* The name of a source in a pack. */
static inline const char *fleet_clock_label(uint8_t source)
{
    static const char *const labels[] = {[FLEET_CLOCK_RUNS] = "btrun",
                                         [FLEET_CLOCK_SET] = "btset",
                                         [FLEET_CLOCK_SYNCHRONISED] = "btsync"};

    return labels[source];
}

/* A time, and how good it is. */
struct fleet_moment {
    uint32_t time;  /* Unix time; 0: FLEET_CLOCK_RUNS */
    uint32_t since; /* seconds since the clock was synchronised or set, or since the start */
    uint8_t source; /* enum fleet_clock_source */
};

/*
 * Set whether the broker is asked for the time at each registration. The default is no.
 * If it is switched off, the broker's earlier time is discarded. Its answer is not
 * signed: broker and network are trusted with the time of a device that takes it.
 */
void fleet_clock_follow_broker(bool is_followed);
bool fleet_clock_follows_broker(void);

/* Take the time from an answer to a registration, if it says one before 2046. It was true when the
 * request was taken, so that the clock is late by the way of the answer, and of its repetitions. */
void fleet_clock_take(const struct fleet_coap_message *answer);

/* Remember that the next readings to be published were measured now. */
void fleet_clock_mark(void);

/* The time of the latest fleet_clock_mark(), by the present state of the clock: the
 * registration that a reading waited for may have set it. */
void fleet_clock_read(struct fleet_moment *moment);

#endif
