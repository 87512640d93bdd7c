/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of measurements: SenML in JSON (RFC 8428, 5), as PROTOCOL.md, 5, has it. */
#ifndef FLEET_SENML_JSON_H
#define FLEET_SENML_JSON_H

#include "senml.h"

/* Bytes that a moment adds to a pack of `count` records at most: a time of 10 digits, how good it
 * is by 10 digits, each with its label. A time of its own has 9 digits at least, and counted from
 * the moment 10 and a sign at most. */
#define FLEET_JSON_MOMENT_SIZE(count) (16u + 20u + 2u * (count))

/*
 * Write a pack of `count` records, which are 1 at least.
 *   moment  as fleet_senml_write_at() has it; NULL: the device has no clock
 */
void fleet_senml_json_write(struct corral_cbor *writer, const struct fleet_record *records,
                            uint8_t count, const struct fleet_moment *moment);

#endif
