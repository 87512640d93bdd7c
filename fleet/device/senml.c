/* SPDX-License-Identifier: Apache-2.0 */
#include "senml.h"

/* Labels (RFC 8428, 6, table 4). */
#define NAME 0
#define UNIT 1
#define VALUE 2
#define TRUTH 4
#define TIME 6
#define BASE_TIME (-3)

/* The heads of tag 4 and of an array of two (RFC 8949, 3.4.4). */
static const uint8_t decimal_fraction[] = {0xc4, 0x82};

static void write_value(struct corral_cbor *writer, const struct fleet_record *record)
{
    if (record->kind == FLEET_TRUTH) {
        corral_cbor_int(writer, TRUTH);
        corral_cbor_bool(writer, record->value != 0);
        return;
    }
    corral_cbor_int(writer, VALUE);
    if (record->exponent != 0) {
        corral_cbor_raw(writer, decimal_fraction, sizeof decimal_fraction);
        corral_cbor_int(writer, record->exponent);
    }
    corral_cbor_int(writer, record->value);
}

/* Write a record, behind which `more` fields follow. Its time is counted from `base`. */
static void write_record(struct corral_cbor *writer, const struct fleet_record *record,
                         uint32_t base, uint8_t more)
{
    corral_cbor_head(writer, CORRAL_CBOR_MAP,
                     2u + (record->unit != NULL ? 1u : 0u) + (record->time != 0 ? 1u : 0u) + more);
    corral_cbor_int(writer, NAME);
    corral_cbor_text(writer, record->name);
    if (record->unit != NULL) {
        corral_cbor_int(writer, UNIT);
        corral_cbor_text(writer, record->unit);
    }
    write_value(writer, record);
    if (record->time != 0) {
        corral_cbor_int(writer, TIME);
        if (base == 0) {
            corral_cbor_long(writer, record->time);
        } else {
            corral_cbor_int(writer, (int32_t)(record->time - base));
        }
    }
}

void fleet_senml_write(struct corral_cbor *writer, const struct fleet_record *records,
                       uint8_t count)
{
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, count);
    for (uint8_t i = 0; i < count; i++) {
        write_record(writer, &records[i], 0, 0);
    }
}

#if FLEET_HAS_CLOCK

/* Write what the first record says for all. */
static void write_moment(struct corral_cbor *writer, const struct fleet_moment *moment)
{
    if (moment->time != 0) {
        corral_cbor_int(writer, BASE_TIME);
        corral_cbor_long(writer, moment->time);
    }
    corral_cbor_text(writer, fleet_clock_label(moment->source));
    corral_cbor_long(writer, moment->since);
}

void fleet_senml_write_at(struct corral_cbor *writer, const struct fleet_record *records,
                          uint8_t count, const struct fleet_moment *moment)
{
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, count);
    write_record(writer, &records[0], moment->time, moment->time != 0 ? 2 : 1);
    write_moment(writer, moment);
    for (uint8_t i = 1; i < count; i++) {
        write_record(writer, &records[i], moment->time, 0);
    }
}

#endif
