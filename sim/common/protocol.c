/* SPDX-License-Identifier: Apache-2.0 */
/* Frames: one request in, one response out. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { HEADER_SIZE = 5, RESPONSE_HEADER_SIZE = 3, DELAY_SIZE = 4 };

/* A request as it lies in the input. */
struct request {
    uint8_t op;
    uint8_t bus;
    uint8_t address;
    uint16_t length;
    const uint8_t *payload;
};

/* The bytes that follow the header; -1 for an unknown operation. */
static long payload_size(uint8_t op, uint16_t length)
{
    switch (op) {
    case 'W':
    case 'F':
        return length;
    case 'R':
    case 'E':
        return 0;
    case 'D':
        return DELAY_SIZE;
    default:
        return -1;
    }
}

/* How many bytes the response may carry. */
static size_t response_room(const struct request *request)
{
    if (request->op == 'R' || request->op == 'E') {
        return request->length;
    }
    return request->op == 'F' ? 256 : 0;
}

static bool fill_entropy(uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t got = getrandom(data, length, 0);

        if (got <= 0) {
            return false;
        }
        data += got;
        length -= (size_t)got;
    }
    return true;
}

/* The control operation: its text goes on terminated, and whole or not at all. */
static uint8_t control(const struct server *server, const struct request *request, char *answer,
                       size_t room)
{
    char text[64];

    answer[0] = '\0';
    if (request->length >= sizeof(text)) {
        snprintf(answer, room, "control text longer than %zu bytes", sizeof(text) - 1);
        return SERVER_ERROR;
    }
    memcpy(text, request->payload, request->length);
    text[request->length] = '\0';
    return server->control(server->chips, request->bus, request->address, text, answer, room);
}

static uint32_t microseconds_of(const uint8_t *payload)
{
    return (uint32_t)payload[0] | (uint32_t)payload[1] << 8 | (uint32_t)payload[2] << 16 |
           (uint32_t)payload[3] << 24;
}

/* Carry out a request. The answer's bytes go to data, their number to *length. */
static uint8_t perform(const struct server *server, const struct request *request, uint8_t *data,
                       size_t *length)
{
    uint8_t status;

    *length = 0;
    switch (request->op) {
    case 'W':
        return server->write(server->chips, request->bus, request->address, request->payload,
                             request->length);
    case 'R':
        status = server->read(server->chips, request->bus, request->address, data, request->length);
        *length = status == SERVER_DONE ? request->length : 0;
        return status;
    case 'D':
        server->delay(server->chips, microseconds_of(request->payload));
        return SERVER_DONE;
    case 'E':
        *length = fill_entropy(data, request->length) ? request->length : 0;
        return *length == request->length ? SERVER_DONE : SERVER_ERROR;
    default:
        status = control(server, request, (char *)data, response_room(request));
        *length = strlen((const char *)data);
        return status;
    }
}

long server_handle(const struct server *server, const uint8_t *data, size_t length,
                   uint8_t **response, size_t *response_length)
{
    struct request request;
    size_t answer_length = 0;
    long payload;

    if (length < HEADER_SIZE) {
        return length > 0 && payload_size(data[0], 0) < 0 ? -1 : 0;
    }
    request.op = data[0];
    request.bus = data[1];
    request.address = data[2];
    request.length = (uint16_t)(data[3] | data[4] << 8);
    request.payload = data + HEADER_SIZE;
    payload = payload_size(request.op, request.length);
    if (payload < 0) {
        return -1;
    }
    if (length < HEADER_SIZE + (size_t)payload) {
        return 0;
    }
    *response = malloc(RESPONSE_HEADER_SIZE + response_room(&request) + 1);
    if (*response == NULL) {
        return -1;
    }
    (*response)[0] = perform(server, &request, *response + RESPONSE_HEADER_SIZE, &answer_length);
    (*response)[1] = (uint8_t)answer_length;
    (*response)[2] = (uint8_t)(answer_length >> 8);
    *response_length = RESPONSE_HEADER_SIZE + answer_length;
    if (server->verbose) {
        fprintf(stderr, "%c bus %u address 0x%02X length %u: status %u, %zu bytes\n", request.op,
                request.bus, request.address, request.length, (*response)[0], answer_length);
    }
    return HEADER_SIZE + payload;
}
