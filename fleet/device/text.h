/* SPDX-License-Identifier: Apache-2.0 */
/* Text for people and for JSON, by the writer of CBOR, which also writes bytes as they are. */
#ifndef FLEET_TEXT_H
#define FLEET_TEXT_H

#include <string.h>

#include <corral/cbor.h>

/* Write a string without the zero behind it. */
static inline void fleet_text_write(struct corral_cbor *writer, const char *text)
{
    corral_cbor_raw(writer, (const uint8_t *)text, strlen(text));
}

/* Write a byte as two hexadecimal digits. */
static inline void fleet_text_hex(struct corral_cbor *writer, uint8_t byte)
{
    static const uint8_t digits[] = "0123456789abcdef";
    const uint8_t text[] = {digits[byte >> 4], digits[byte & 15u]};

    corral_cbor_raw(writer, text, sizeof text);
}

#endif
