/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of NIST, as a token names them: CKA_EC_PARAMS is the DER of an object identifier. */
#ifndef PKCS11_CURVE_H
#define PKCS11_CURVE_H

#include <stddef.h>
#include <stdint.h>

#define PKCS11_PARAMETERS_MAX_SIZE 10u
#define PKCS11_SCALAR_MAX_SIZE 66u
#define PKCS11_POINT_MAX_SIZE (1 + 2 * PKCS11_SCALAR_MAX_SIZE)

struct pkcs11_curve {
    uint16_t bits;
    uint8_t length; /* of the parameters */
    uint8_t parameters[PKCS11_PARAMETERS_MAX_SIZE];
};

/* The curve with a number of bits that the driver lists. */
const struct pkcs11_curve *pkcs11_curve(size_t bits);

/* The bits of a curve; 0: another curve. */
size_t pkcs11_curve_bits(const uint8_t *parameters, size_t length);

#endif
