/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that a device signs: COSE_Sign1 (RFC 9052, 4.2) as PROTOCOL.md, 2, has it. */
#ifndef FLEET_OBJECT_H
#define FLEET_OBJECT_H

#include "identity.h"
#include "sequence.h"

/* The input of a signature. */
struct fleet_object {
    const char *purpose;  /* first element of the external data: "cf1-reading" and the like */
    const uint8_t *bound; /* its third element, encoded: topic, nonce, successor, hash */
    size_t bound_length;
    const uint8_t *payload; /* encoded */
    size_t payload_length;
    struct fleet_number number; /* of the key's sequence, used for nothing else */
    bool is_reading;            /* the payload is SenML, which the header says */
    bool is_short;              /* send the low 16 bits of the number, not all of it */
};

#define FLEET_SIGNATURE_SIZE 64u

/*
 * Write a signed object.
 *   output  `size` bytes; what is signed is put together there first, so they must hold that, too:
 *           about 25 bytes and the external data more than the payload, or 92, whichever is more
 *   length  of the object
 *   PSA_ERROR_BUFFER_TOO_SMALL  one of them does not fit
 *   whatever else psa_sign_message() returns
 */
psa_status_t fleet_object_sign(const struct fleet_identity *identity,
                               const struct fleet_object *object, uint8_t *output, size_t size,
                               size_t *length);

/* Write what is signed, by or for the device of this identity: external data up to 255 bytes. */
void fleet_object_write_signed(struct corral_cbor *writer, uint8_t algorithm,
                               const uint8_t id[FLEET_IDENTITY_SIZE],
                               const struct fleet_object *object);

#endif
