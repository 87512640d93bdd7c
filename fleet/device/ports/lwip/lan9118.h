/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Microchip's LAN9118, Ethernet with its own memory for frames behind registers of 32 bits. It is
 * asked, and does not interrupt: frames wait in its memory meanwhile (by default 13 KB), and are
 * lost if that is full. LAN9118 is the address of its registers.
 */
#ifndef LAN9118_H
#define LAN9118_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAN9118_ADDRESS_SIZE 6u

/* A frame begins with this many unused bytes, so the data after Ethernet's header is
 * aligned. They count in no length. */
#define LAN9118_PAD 2u

/*
 * Reset it, and let it take frames for its own address and for all. `address` gets its own, from
 * its EEPROM.
 *   false  there is no such chip; `address` is as it was
 */
bool lan9118_start(uint8_t address[LAN9118_ADDRESS_SIZE]);

/*
 * Send a frame of `length` bytes, at most 1514, without its checksum. `words` begins with the pad,
 * and is read to the end of the last word.
 *   false  its memory has no room now; nothing is sent
 */
bool lan9118_send(const uint32_t *words, size_t length);

/* How many bytes the next frame has, without its checksum. 0: none is there, or it came with a
 * fault and was dropped; one a call, as such frames may come without end. */
size_t lan9118_next(void);

/*
 * Take the frame that lan9118_next() told of, of `length` bytes, out of the chip's memory. `words`
 * has room for pad and frame, to the end of the last word; NULL: the frame is dropped.
 */
void lan9118_take(uint32_t *words, size_t length);

#endif
