/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of measurements: SenML in CBOR (RFC 8428, 6), as PROTOCOL.md, 5, has it. */
#ifndef FLEET_SENML_H
#define FLEET_SENML_H

#include <corral/cbor.h>

#include "clock.h"

enum fleet_value_kind {
    FLEET_NUMBER,
    FLEET_TRUTH,
};

/* A measurement. Numbers are decimal, so that nothing here computes with floats. */
struct fleet_record {
    const char *name; /* at most 64 characters */
    const char *unit; /* of RFC 8428, 12.1, or RFC 8798; NULL: none */
    uint32_t time;    /* Unix time, from 2^28 on; 0: the pack's, or none */
    int32_t value;    /* of a number value * 10^exponent; of a truth 0 or 1 */
    int8_t exponent;
    uint8_t kind; /* enum fleet_value_kind */
};

/* Write a pack of `count` records, which are 1 at least. */
void fleet_senml_write(struct corral_cbor *writer, const struct fleet_record *records,
                       uint8_t count);

/* Bytes that a moment adds to a pack at most: a time of 5 behind its label, and how good it is by a
 * label of up to 7, and 5. */
#define FLEET_MOMENT_SIZE (FLEET_HAS_CLOCK ? 1u + 5u + 7u + 5u : 0u)

/*
 * The same, made at a moment: records without a time have that time, and times of their
 * own are within 68 years of it. There where FLEET_HAS_CLOCK.
 */
void fleet_senml_write_at(struct corral_cbor *writer, const struct fleet_record *records,
                          uint8_t count, const struct fleet_moment *moment);

#endif
