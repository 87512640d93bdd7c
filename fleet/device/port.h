/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of the device side of a fleet, beside PSA Crypto and PSA storage:
 * messages to and from its servers, and a clock. A transport defines these functions
 * (ports/), and so do tests, with a simulated clock.
 */
#ifndef FLEET_PORT_H
#define FLEET_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whom a message is for, or from. Directory and broker may be at one address. */
enum fleet_peer {
    FLEET_DIRECTORY = 0,
    FLEET_BROKER = 1,
    FLEET_GROUP = 2, /* to all directories, from any; only where FLEET_FINDS */
};

/*
 * Send a message, at once. false: it cannot be sent, now or at all. That a message gets lost on its
 * way is no failure.
 */
bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length);

/*
 * Wait for a message of `peer` until the clock shows `until`; with a time in the past
 * it only looks for messages that have arrived. Returns the length of the message, 0 if
 * none came. Messages longer than `size` and those of others are dropped.
 */
size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until);

/*
 * Milliseconds since any time; goes round. Every wait is longer by the time that the clock misses,
 * as an AVR's does if it is not read for four seconds (ports/avr/clock.h). It goes on while the
 * device sleeps within a call: by it a command is too old that was kept back meanwhile.
 */
uint32_t fleet_port_now(void);

/* Whether readings say when they were made (clock.h): the port has the following two, too. */
#ifndef FLEET_HAS_CLOCK
#define FLEET_HAS_CLOCK 0
#endif

/* Seconds since the device was started, those for which it slept included. */
uint32_t fleet_port_uptime(void);

/*
 * Unix time, by a clock that is synchronised, and in *since the seconds since the last
 * synchronisation. 0: there is no such clock, or it has not been synchronised yet; *since is as it
 * was.
 */
uint32_t fleet_port_time(uint32_t *since);

/* Whether a directory can be found by asking a group (discovery.h): the port has FLEET_GROUP, and
 * the following, too. */
#ifndef FLEET_FINDS
#define FLEET_FINDS 0
#endif

/*
 * The sender of the latest message from FLEET_GROUP becomes FLEET_DIRECTORY. Returns
 * false if that fails; the former directory then stays.
 */
bool fleet_port_take_directory(void);

#endif
