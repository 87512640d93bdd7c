/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of the protocol that virtual chips speak (sim/README.md): one request,
 * one response, over a pair of byte streams. A port that reaches virtual chips defines the two
 * functions that move bytes, and makes its I2C bus out of virtual_bus_exchange().
 */
#ifndef VIRTUAL_BUS_H
#define VIRTUAL_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <corral/driver.h>
#include <psa/error.h>

/* Send all `size` bytes, or receive exactly `size`. false: the chips' side is not there any more.
 * `size` may be 0. */
bool virtual_bus_send(const uint8_t *data, size_t size);
bool virtual_bus_receive(uint8_t *data, size_t size);

#define VIRTUAL_BUS_WRITE 'W'
#define VIRTUAL_BUS_READ 'R'
#define VIRTUAL_BUS_DELAY 'D'

/* A packet for a chip is not longer. */
#define VIRTUAL_BUS_TOGETHER 160u

#define VIRTUAL_BUS_ACKNOWLEDGED 0u
#define VIRTUAL_BUS_NOT_ACKNOWLEDGED 1u

/* A request: its header's values, and the payload that follows. */
struct virtual_bus_request {
    char operation;
    uint8_t bus;
    uint8_t address; /* 7 bits */
    uint16_t length; /* from the header: bytes to write, or to read */
    const uint8_t *payload;
    size_t payload_size;
};

static inline bool virtual_bus_send_request(const struct virtual_bus_request *request)
{
    uint8_t bytes[5 + VIRTUAL_BUS_TOGETHER] = {(uint8_t)request->operation, request->bus,
                                               request->address, (uint8_t)(request->length & 0xffu),
                                               (uint8_t)(request->length >> 8)};

    /* In one piece where that is possible: the host's calls are what takes time. */
    if (request->payload_size <= VIRTUAL_BUS_TOGETHER) {
        if (request->payload_size > 0) {
            memcpy(bytes + 5, request->payload, request->payload_size);
        }
        const bool is_sent = virtual_bus_send(bytes, 5 + request->payload_size);
        corral_wipe(bytes, sizeof bytes); /* a key may pass */
        return is_sent;
    }
    return virtual_bus_send(bytes, 5) && virtual_bus_send(request->payload, request->payload_size);
}

/*
 * Carry out one request. An acknowledged response must carry exactly `answer_size` bytes, which go
 * to `answer`; any other carries none.
 *   *in_step  false afterwards when the peer is gone or answered nonsense: the streams cannot be
 *             used any more
 *   PSA_ERROR_COMMUNICATION_FAILURE  that, or the request was not acknowledged
 */
static inline psa_status_t virtual_bus_exchange(const struct virtual_bus_request *request,
                                                uint8_t *answer, size_t answer_size, bool *in_step)
{
    uint8_t header[3];

    *in_step = false;
    if (!virtual_bus_send_request(request) || !virtual_bus_receive(header, sizeof header)) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const bool is_acknowledged = header[0] == VIRTUAL_BUS_ACKNOWLEDGED;
    const size_t length = (size_t)header[1] | (size_t)header[2] << 8;
    if (length != (is_acknowledged ? answer_size : 0) || !virtual_bus_receive(answer, length)) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    *in_step = true;
    /* Address 0 is never acknowledged: it is the wake condition, and no error. */
    const bool is_wake = header[0] == VIRTUAL_BUS_NOT_ACKNOWLEDGED &&
                         request->operation == VIRTUAL_BUS_WRITE && request->address == 0;
    return is_acknowledged || is_wake ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

/* The three requests that a port's bus needs. */

static inline struct virtual_bus_request virtual_bus_write(uint8_t bus, uint8_t address,
                                                           const uint8_t *data, size_t length)
{
    return (struct virtual_bus_request){VIRTUAL_BUS_WRITE, bus,  address,
                                        (uint16_t)length,  data, length};
}

static inline struct virtual_bus_request virtual_bus_read(uint8_t bus, uint8_t address,
                                                          size_t length)
{
    return (struct virtual_bus_request){VIRTUAL_BUS_READ, bus, address, (uint16_t)length, NULL, 0};
}

/* `payload` (4 bytes) is written here, and must live as long as the request. */
static inline struct virtual_bus_request virtual_bus_delay(uint32_t microseconds,
                                                           uint8_t payload[4])
{
    for (unsigned i = 0; i < 4; i++) {
        payload[i] = (uint8_t)(microseconds >> (8 * i));
    }
    return (struct virtual_bus_request){VIRTUAL_BUS_DELAY, 0, 0, 0, payload, 4};
}

#endif
