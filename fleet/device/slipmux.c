/* SPDX-License-Identifier: Apache-2.0 */
#include "slipmux.h"

#include <stdbool.h>

#define FCS_POLYNOMIAL 0x8408u /* reflected; a table would cost 512 bytes */
#define FCS_SIZE 2u

enum {
    AT_START,   /* the first byte of a frame comes next */
    IN_MESSAGE, /* of a frame with a CoAP message */
    ESCAPED,    /* the same, after an escape */
    PASSING,    /* until the end of the frame */
};

uint16_t fleet_slipmux_fcs(uint16_t fcs, uint8_t byte)
{
    fcs = (uint16_t)(fcs ^ byte);
    for (uint8_t bit = 0; bit < 8; bit++) {
        const bool is_set = (fcs & 1u) != 0;
        fcs = (uint16_t)(fcs >> 1);
        if (is_set) {
            fcs = (uint16_t)(fcs ^ FCS_POLYNOMIAL);
        }
    }
    return fcs;
}

static void put_escaped(uint8_t byte)
{
    if (byte == FLEET_SLIPMUX_END) {
        fleet_slipmux_put(FLEET_SLIPMUX_ESCAPE);
        byte = FLEET_SLIPMUX_ESCAPED_END;
    } else if (byte == FLEET_SLIPMUX_ESCAPE) {
        fleet_slipmux_put(FLEET_SLIPMUX_ESCAPE);
        byte = FLEET_SLIPMUX_ESCAPED_ESCAPE;
    }
    fleet_slipmux_put(byte);
}

void fleet_slipmux_send(const uint8_t *message, size_t length)
{
    uint16_t fcs = fleet_slipmux_fcs(FLEET_SLIPMUX_FCS_INITIAL, FLEET_SLIPMUX_COAP);

    fleet_slipmux_put(FLEET_SLIPMUX_END); /* whatever was on the line before ends here */
    fleet_slipmux_put(FLEET_SLIPMUX_COAP);
    for (size_t i = 0; i < length; i++) {
        fcs = fleet_slipmux_fcs(fcs, message[i]);
        put_escaped(message[i]);
    }
    put_escaped((uint8_t)~fcs);
    put_escaped((uint8_t)(~(unsigned)fcs >> 8));
    fleet_slipmux_put(FLEET_SLIPMUX_END);
}

static void restart(struct fleet_slipmux *frame)
{
    frame->length = 0;
    frame->fcs = FLEET_SLIPMUX_FCS_INITIAL;
    frame->state = AT_START;
}

void fleet_slipmux_begin(struct fleet_slipmux *frame, uint8_t *data, size_t size)
{
    frame->data = data;
    frame->size = size;
    restart(frame);
}

static size_t end(struct fleet_slipmux *frame)
{
    const bool is_whole = frame->state == IN_MESSAGE && frame->fcs == FLEET_SLIPMUX_FCS_GOOD &&
                          frame->length > FCS_SIZE;
    const size_t length = is_whole ? frame->length - FCS_SIZE : 0;

    restart(frame);
    return length;
}

/* The byte that an escape and this one stand for; 0: none. */
static uint8_t unescape(uint8_t byte)
{
    return byte == FLEET_SLIPMUX_ESCAPED_END      ? FLEET_SLIPMUX_END
           : byte == FLEET_SLIPMUX_ESCAPED_ESCAPE ? FLEET_SLIPMUX_ESCAPE
                                                  : 0;
}

static void keep(struct fleet_slipmux *frame, uint8_t byte)
{
    frame->fcs = fleet_slipmux_fcs(frame->fcs, byte);
    if (frame->length < frame->size) {
        frame->data[frame->length++] = byte;
    } else {
        frame->state = PASSING;
    }
}

size_t fleet_slipmux_take(struct fleet_slipmux *frame, uint8_t byte)
{
    if (byte == FLEET_SLIPMUX_END) {
        return end(frame);
    }
    switch (frame->state) {
    case AT_START:
        frame->fcs = fleet_slipmux_fcs(frame->fcs, byte);
        frame->state = byte == FLEET_SLIPMUX_COAP ? IN_MESSAGE : PASSING;
        break;
    case IN_MESSAGE:
        if (byte == FLEET_SLIPMUX_ESCAPE) {
            frame->state = ESCAPED;
        } else {
            keep(frame, byte);
        }
        break;
    case ESCAPED:
        frame->state = IN_MESSAGE;
        byte = unescape(byte);
        if (byte != 0) {
            keep(frame, byte);
        } else {
            frame->state = PASSING;
        }
        break;
    default:
        break;
    }
    return 0;
}
