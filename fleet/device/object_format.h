/* SPDX-License-Identifier: Apache-2.0 */
/* Constants for signing and for verifying objects (RFC 9052, 4.4). */
#ifndef FLEET_OBJECT_FORMAT_H
#define FLEET_OBJECT_FORMAT_H

/* The byte for -7, -8, -9 and -19 (RFC 9053, 2, and RFC 9864, 2: each of the second
 * names only one algorithm). */
#define ALGORITHM_ES256 0x26u
#define ALGORITHM_EDDSA 0x27u
#define ALGORITHM_ESP256 0x28u
#define ALGORITHM_ED25519 0x32u

/* Header parameter Partial IV, whose meaning is the protocol's, and a string of 8 bytes. */
#define NUMBER 0x06u
#define EIGHT_BYTES 0x48u

#endif
