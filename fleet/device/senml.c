/* SPDX-License-Identifier: Apache-2.0 */
#include "senml.h"

/* Labels (RFC 8428, 6, table 4). */
#define NAME 0
#define UNIT 1
#define VALUE 2
#define TRUTH 4
#define TIME 6

#define DECIMAL_FRACTION 4 /* RFC 8949, 3.4.4 */

static void write_value(struct corral_cbor *writer, const struct fleet_record *record)
{
    if (record->kind == FLEET_TRUTH) {
        corral_cbor_int(writer, TRUTH);
        corral_cbor_bool(writer, record->value != 0);
        return;
    }
    corral_cbor_int(writer, VALUE);
    if (record->exponent != 0) {
        corral_cbor_head(writer, CORRAL_CBOR_TAG, DECIMAL_FRACTION);
        corral_cbor_head(writer, CORRAL_CBOR_ARRAY, 2);
        corral_cbor_int(writer, record->exponent);
    }
    corral_cbor_int(writer, record->value);
}

static void write_record(struct corral_cbor *writer, const struct fleet_record *record)
{
    corral_cbor_head(writer, CORRAL_CBOR_MAP,
                     2u + (record->unit != NULL ? 1u : 0u) + (record->time != 0 ? 1u : 0u));
    corral_cbor_int(writer, NAME);
    corral_cbor_text(writer, record->name);
    if (record->unit != NULL) {
        corral_cbor_int(writer, UNIT);
        corral_cbor_text(writer, record->unit);
    }
    write_value(writer, record);
    if (record->time != 0) {
        corral_cbor_int(writer, TIME);
        corral_cbor_long(writer, record->time);
    }
}

void fleet_senml_write(struct corral_cbor *writer, const struct fleet_record *records,
                       uint8_t count)
{
    corral_cbor_head(writer, CORRAL_CBOR_ARRAY, count);
    for (uint8_t i = 0; i < count; i++) {
        write_record(writer, &records[i]);
    }
}
