/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CoAP messages over a serial line, beside what a person reads on it: slipmux
 * (draft-bormann-t2trg-slipmux-03). A frame is framed as by SLIP (RFC 1055), its first byte says
 * what it holds, and one with a CoAP message ends with the check sequence of PPP (RFC 1662, C.2).
 */
#ifndef FLEET_SLIPMUX_H
#define FLEET_SLIPMUX_H

#include <stddef.h>
#include <stdint.h>

#define FLEET_SLIPMUX_END 0xc0u
#define FLEET_SLIPMUX_ESCAPE 0xdbu
#define FLEET_SLIPMUX_ESCAPED_END 0xdcu
#define FLEET_SLIPMUX_ESCAPED_ESCAPE 0xddu

#define FLEET_SLIPMUX_DIAGNOSTICS 0x0au /* a text follows */
#define FLEET_SLIPMUX_COAP 0xa9u        /* a message follows, and its check sequence */

/* The check sequence (FCS-16) before any byte, and after a frame that is whole. */
#define FLEET_SLIPMUX_FCS_INITIAL 0xffffu
#define FLEET_SLIPMUX_FCS_GOOD 0xf0b8u

/* The check sequence after one more byte. */
uint16_t fleet_slipmux_fcs(uint16_t fcs, uint8_t byte);

/* Send one byte over the line; the sender of frames defines it. */
void fleet_slipmux_put(uint8_t byte);

/* Send a message as a frame. */
void fleet_slipmux_send(const uint8_t *message, size_t length);

/* A frame that is being received. */
struct fleet_slipmux {
    uint8_t *data; /* `size` bytes; holds the message once it is whole */
    size_t size;
    size_t length; /* of the received part of the message and its check sequence */
    uint16_t fcs;
    uint8_t state; /* enum of slipmux.c */
};

/* Begin to receive into `size` bytes at `data`, two of which are the check sequence's. */
void fleet_slipmux_begin(struct fleet_slipmux *frame, uint8_t *data, size_t size);

/*
 * Take a byte of the line. Returns the length of the message when this byte ends a frame that holds
 * one, and is whole; the next byte begins another frame, into the same memory. Otherwise 0. Frames
 * of other kinds, too long ones and damaged ones are passed over.
 */
size_t fleet_slipmux_take(struct fleet_slipmux *frame, uint8_t byte);

#endif
