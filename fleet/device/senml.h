/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of measurements: SenML in CBOR (RFC 8428, 6), as PROTOCOL.md, 5, has it. */
#ifndef FLEET_SENML_H
#define FLEET_SENML_H

#include <corral/cbor.h>

enum fleet_value_kind {
    FLEET_NUMBER,
    FLEET_TRUTH,
};

/* A measurement. Numbers are decimal, so that nothing here computes with floats. */
struct fleet_record {
    const char *name; /* at most 64 characters */
    const char *unit; /* of RFC 8428, 12.1, or RFC 8798; NULL: none */
    uint32_t time;    /* Unix time, from 2^28 on; 0: none is known */
    int32_t value;    /* of a number value * 10^exponent; of a truth 0 or 1 */
    int8_t exponent;
    uint8_t kind; /* enum fleet_value_kind */
};

/* Write a pack of `count` records, which are 1 at least. */
void fleet_senml_write(struct corral_cbor *writer, const struct fleet_record *records,
                       uint8_t count);

#endif
