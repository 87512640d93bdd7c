/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network between a device and its server, in one memory: datagrams, none of which
 * is lost, and the counts of them and of the device's work. Work is counted by QEMU's
 * clock (bench/meter/counter.h), and only while it is the device's turn.
 */
#ifndef AIR_H
#define AIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side {
    DEVICE = 0,
    SERVER = 1,
};

/* The data that one side has sent: payloads of UDP. */
struct sent {
    uint32_t bytes;
    uint32_t datagrams;
};

/*
 * Send a datagram to the other side. It is copied.
 *   false  too many are under way, or it is too long; nothing was sent
 */
bool air_put(enum side from, const uint8_t *data, size_t length);

/* The length of the next datagram for a side, and in `data` as much of it as fits; 0: none came. */
size_t air_take(enum side to, uint8_t *data, size_t size);

/* Begin to count: nothing was sent, and no work done. The device's turn is not on. */
void air_begin(void);

/* From here on it is the device's turn, or not any more. */
void air_turn(bool is_devices);

/* The data that a side sent since the count began. */
struct sent air_sent(enum side from);

/* The device's work since then, in ticks of the counter. */
uint64_t air_ticks(void);

#endif
