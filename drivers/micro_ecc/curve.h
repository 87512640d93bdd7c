/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The curves of micro-ecc. driver.json defines which ones the build binds: with a single one
 * nothing has to be chosen, and the data of the others are not linked.
 *
 * micro-ecc: X || Y. PSA: 04 || X || Y. Scalars, shared secrets and r || s agree. The library
 * answers 1 or 0, with no reason.
 */
#ifndef MICRO_ECC_CURVE_H
#define MICRO_ECC_CURVE_H

#include <psa/crypto.h>
#include <uECC.h>

#ifndef MICRO_ECC_DRIVER_P192
#define MICRO_ECC_DRIVER_P192 0
#endif
#ifndef MICRO_ECC_DRIVER_P224
#define MICRO_ECC_DRIVER_P224 0
#endif
#ifndef MICRO_ECC_DRIVER_P256
#define MICRO_ECC_DRIVER_P256 0
#endif
#ifndef MICRO_ECC_DRIVER_K256
#define MICRO_ECC_DRIVER_K256 0
#endif

#define MICRO_ECC_IS_ONLY_CURVE                                                                    \
    (MICRO_ECC_DRIVER_P192 + MICRO_ECC_DRIVER_P224 + MICRO_ECC_DRIVER_P256 +                       \
         MICRO_ECC_DRIVER_K256 ==                                                                  \
     1)

/* Bytes of a scalar of the largest curve; a point has twice as many. */
#define MICRO_ECC_SCALAR_MAX_SIZE 32

/* True if `curve` is bound, and the key is on it as far as type and size can tell. */
#define MICRO_ECC_IS(curve, is_on_it)                                                              \
    (MICRO_ECC_DRIVER_##curve && (MICRO_ECC_IS_ONLY_CURVE || (is_on_it)))

/* The curve of a key, of those that dispatch lets through. */
static inline uECC_Curve micro_ecc_curve(psa_key_type_t type, size_t bits)
{
    if (MICRO_ECC_IS(P192, bits == 192)) {
        return uECC_secp192r1();
    }
    if (MICRO_ECC_IS(P224, bits == 224)) {
        return uECC_secp224r1();
    }
    if (MICRO_ECC_IS(K256, PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_SECP_K1)) {
        return uECC_secp256k1();
    }
    return MICRO_ECC_DRIVER_P256 ? uECC_secp256r1() : NULL;
}

static inline uECC_Curve micro_ecc_curve_of(const psa_key_attributes_t *attributes)
{
    return micro_ecc_curve(attributes->type, attributes->bits);
}

#endif
