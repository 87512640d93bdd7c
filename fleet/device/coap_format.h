/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the format of CoAP messages (RFC 7252, 3) for the reader and the writer. */
#ifndef FLEET_COAP_FORMAT_H
#define FLEET_COAP_FORMAT_H

#define COAP_VERSION 1u
#define COAP_HEAD_SIZE 4u
#define COAP_MARKER 0xffu

/* Nibbles that say that one or two bytes more hold the rest, and where two begin to be needed. */
#define COAP_EXTENDED_BY_ONE 13u
#define COAP_EXTENDED_BY_TWO 14u
#define COAP_RESERVED_NIBBLE 15u
#define COAP_BASE_OF_TWO 269u

#endif
