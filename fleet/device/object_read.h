/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that others signed: COSE_Sign1 as PROTOCOL.md, 2, has it. */
#ifndef FLEET_OBJECT_READ_H
#define FLEET_OBJECT_READ_H

#include "cbor_read.h"
#include "object.h"

/* The parts of a received object, in place; it is not verified yet. */
struct fleet_received {
    struct fleet_cbor_source bare; /* all of it without a tag, the input of the hash */
    uint8_t algorithm;             /* COSE's number, as it is written */
    const uint8_t *signer;         /* the identity that it names; NULL: none */
    const uint8_t *number;         /* FLEET_NUMBER_SIZE bytes */
    struct fleet_cbor_source payload;
    const uint8_t *signature; /* FLEET_SIGNATURE_SIZE bytes */
};

/* Take an object apart that has its number in full and is no reading. false: it is none. */
bool fleet_object_read(const uint8_t *data, size_t length, struct fleet_received *received);

/*
 * Verify the signature of an object that is for the device of this identity.
 *   key      COSE_Key of the claimed signer
 *   scratch  `size` bytes, for the signed bytes
 *   PSA_ERROR_INVALID_SIGNATURE  it does not hold, or the key is none of those that sign
 *   PSA_ERROR_BUFFER_TOO_SMALL   `size` is
 *   whatever else psa_import_key() and psa_verify_message() return
 */
psa_status_t fleet_object_verify(const struct fleet_received *received, const char *purpose,
                                 const uint8_t id[FLEET_IDENTITY_SIZE],
                                 const struct corral_cbor *bound,
                                 const struct fleet_cbor_source *key, uint8_t *scratch,
                                 size_t size);

#endif
