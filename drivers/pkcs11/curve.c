/* SPDX-License-Identifier: Apache-2.0 */
#include "curve.h"

#include <string.h>

static const struct pkcs11_curve curves[] = {
    {256, 10, {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07}},
    {384, 7, {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22}},
    {521, 7, {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23}},
};

#define CURVE_COUNT (sizeof curves / sizeof curves[0])

const struct pkcs11_curve *pkcs11_curve(size_t bits)
{
    size_t i = 0;

    while (i < CURVE_COUNT - 1 && curves[i].bits != bits) {
        i++;
    }
    return &curves[i];
}

size_t pkcs11_curve_bits(const uint8_t *parameters, size_t length)
{
    for (size_t i = 0; i < CURVE_COUNT; i++) {
        if (length == curves[i].length && memcmp(parameters, curves[i].parameters, length) == 0) {
            return curves[i].bits;
        }
    }
    return 0;
}
