/* SPDX-License-Identifier: Apache-2.0 */
/* The little DER that attributes have. */
#include <string.h>

#include "module.h"

#define TAG_INTEGER 0x02u

static const uint8_t oid_p256[] = {6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7};
static const uint8_t oid_p384[] = {6, 5, 0x2b, 0x81, 4, 0, 0x22};
static const uint8_t oid_p521[] = {6, 5, 0x2b, 0x81, 4, 0, 0x23};

static const struct curve curves[] = {
    {256, oid_p256, sizeof oid_p256},
    {384, oid_p384, sizeof oid_p384},
    {521, oid_p521, sizeof oid_p521},
};

#define CURVES (sizeof curves / sizeof curves[0])

const struct curve *curve_of_bits(size_t bits)
{
    for (size_t i = 0; i < CURVES; i++) {
        if (curves[i].bits == bits) {
            return &curves[i];
        }
    }
    return NULL;
}

const struct curve *curve_of_oid(const uint8_t *oid, size_t length)
{
    for (size_t i = 0; i < CURVES; i++) {
        if (curves[i].oid_length == length && memcmp(curves[i].oid, oid, length) == 0) {
            return &curves[i];
        }
    }
    return NULL;
}

/* Bytes of tag and length. */
static size_t head_size(size_t length)
{
    return length < 0x80 ? 2 : length < 0x100 ? 3 : 4;
}

static void put_head(uint8_t *to, uint8_t tag, size_t length)
{
    const size_t more = head_size(length) - 2;

    to[0] = tag;
    to[1] = (uint8_t)(more == 0 ? length : 0x80 | more);
    for (size_t i = 0; i < more; i++) {
        to[2 + i] = (uint8_t)(length >> (8 * (more - 1 - i)));
    }
}

size_t der_put(uint8_t *to, size_t size, uint8_t tag, const uint8_t *value, size_t length)
{
    const size_t head = head_size(length);

    if (length > 0xffff || size < head + length) {
        return 0;
    }
    memmove(to + head, value, length); /* first: the value may be at `to` */
    put_head(to, tag, length);
    return head + length;
}

size_t der_put_number(uint8_t *to, size_t size, const uint8_t *number, size_t length)
{
    while (length > 1 && number[0] == 0) {
        number++;
        length--;
    }
    if (length == 0 || length >= 0xffff) {
        return 0;
    }
    const size_t pad = number[0] >> 7;
    const size_t head = head_size(length + pad);
    if (size < head + pad + length) {
        return 0;
    }
    put_head(to, TAG_INTEGER, pad + length);
    to[head] = 0;
    memcpy(to + head + pad, number, length);
    return head + pad + length;
}

bool der_take(const uint8_t **from, const uint8_t *end, uint8_t tag, size_t *length)
{
    const uint8_t *at = *from;
    size_t more = 0;

    if (end - at < 2 || at[0] != tag) {
        return false;
    }
    *length = at[1];
    at += 2;
    if (*length >= 0x80) {
        more = *length & 0x7f;
        *length = 0;
    }
    if (more > 2 || (size_t)(end - at) < more) {
        return false;
    }
    for (; more > 0; more--) {
        *length = *length << 8 | *at++;
    }
    *from = at;
    return (size_t)(end - at) >= *length;
}
