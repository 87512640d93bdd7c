/* SPDX-License-Identifier: Apache-2.0 */
#include "senml_json.h"

#include "text.h"

#define DIGITS_MAX 10u /* of 32 bits */

static void write_number(struct corral_cbor *writer, uint32_t number)
{
    uint8_t digits[DIGITS_MAX];
    uint8_t at = sizeof digits;

    do {
        digits[--at] = (uint8_t)('0' + number % 10u);
        number /= 10u;
    } while (number > 0);
    corral_cbor_raw(writer, digits + at, sizeof digits - at);
}

static void write_signed(struct corral_cbor *writer, int32_t number)
{
    if (number < 0) {
        fleet_text_write(writer, "-");
    }
    write_number(writer, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
}

/* Write a string. Names and units have nothing by rights that is to be escaped (RFC 8259, 7). */
static void write_string(struct corral_cbor *writer, const char *text)
{
    fleet_text_write(writer, "\"");
    for (; *text != '\0'; text++) {
        const uint8_t byte = (uint8_t)*text;
        if (byte < ' ' || byte == '"' || byte == '\\') {
            fleet_text_write(writer, "\\u00");
            fleet_text_hex(writer, byte);
        } else {
            corral_cbor_raw(writer, &byte, 1);
        }
    }
    fleet_text_write(writer, "\"");
}

static void write_record(struct corral_cbor *writer, const struct fleet_record *record,
                         uint32_t base)
{
    fleet_text_write(writer, "{\"n\":");
    write_string(writer, record->name);
    if (record->unit != NULL) {
        fleet_text_write(writer, ",\"u\":");
        write_string(writer, record->unit);
    }
    if (record->kind == FLEET_TRUTH) {
        fleet_text_write(writer, record->value != 0 ? ",\"vb\":true" : ",\"vb\":false");
    } else {
        fleet_text_write(writer, ",\"v\":");
        write_signed(writer, record->value);
        if (record->exponent != 0) {
            fleet_text_write(writer, "e");
            write_signed(writer, record->exponent);
        }
    }
    if (record->time != 0) {
        fleet_text_write(writer, ",\"t\":");
        if (base == 0) {
            write_number(writer, record->time);
        } else {
            write_signed(writer, (int32_t)(record->time - base));
        }
    }
}

static void write_moment(struct corral_cbor *writer, const struct fleet_moment *moment)
{
    if (moment->time != 0) {
        fleet_text_write(writer, ",\"bt\":");
        write_number(writer, moment->time);
    }
    fleet_text_write(writer, ",\"");
    fleet_text_write(writer, fleet_clock_label(moment->source));
    fleet_text_write(writer, "\":");
    write_number(writer, moment->since);
}

void fleet_senml_json_write(struct corral_cbor *writer, const struct fleet_record *records,
                            uint8_t count, const struct fleet_moment *moment)
{
    const uint32_t base = moment != NULL ? moment->time : 0;

    for (uint8_t i = 0; i < count; i++) {
        fleet_text_write(writer, i == 0 ? "[" : "},");
        write_record(writer, &records[i], base);
        if (i == 0 && moment != NULL) {
            write_moment(writer, moment);
        }
    }
    fleet_text_write(writer, "}]");
}
