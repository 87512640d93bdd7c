/* SPDX-License-Identifier: Apache-2.0 */
/* What both who signs objects and who verifies them need (RFC 9052, 4.4). */
#ifndef FLEET_OBJECT_FORMAT_H
#define FLEET_OBJECT_FORMAT_H

#include "object.h"

/* RFC 9053, 2, and RFC 9864, 2: of the second names one algorithm alone. */
#define ALGORITHM_ES256 (-7)
#define ALGORITHM_EDDSA (-8)
#define ALGORITHM_ESP256 (-9)
#define ALGORITHM_ED25519 (-19)

#define NUMBER 6 /* header parameter Partial IV, to which the protocol gives this meaning */

/* Write what is signed, by or for the device of this identity. */
void fleet_object_write_signed(struct corral_cbor *writer, int32_t algorithm,
                               const uint8_t id[FLEET_IDENTITY_SIZE],
                               const struct fleet_object *object);

#endif
