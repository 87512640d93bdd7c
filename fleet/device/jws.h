/* SPDX-License-Identifier: Apache-2.0 */
/* Readings as JWS over SenML in JSON (RFC 7515, compact): PROTOCOL.md, 5. */
#ifndef FLEET_JWS_H
#define FLEET_JWS_H

#include "object.h"

/*
 * Write a reading: its payload is SenML in JSON, its number is sent in full.
 *   output  `size` bytes: about 4/3 of the payload, and 248
 *   length  of the object, which is text without a zero behind it
 *   PSA_ERROR_BUFFER_TOO_SMALL  `size` is
 *   whatever else psa_sign_message() returns
 */
psa_status_t fleet_jws_sign(const struct fleet_identity *identity,
                            const struct fleet_object *object, uint8_t *output, size_t size,
                            size_t *length);

/* The same of a payload under any header, both as they are. */
psa_status_t fleet_jws_sign_under(const struct fleet_identity *identity,
                                  const struct corral_cbor *header, const uint8_t *payload,
                                  size_t payload_length, uint8_t *output, size_t size,
                                  size_t *length);

/* Write bytes as text: base64 for URLs, without padding (RFC 4648, 5). */
void fleet_base64url_write(struct corral_cbor *writer, const uint8_t *data, size_t length);

#endif
