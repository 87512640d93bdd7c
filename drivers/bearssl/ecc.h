/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of BearSSL, and the words that it computes with. */
#ifndef BEARSSL_ECC_H
#define BEARSSL_ECC_H

#include "stack.h"

#include <limits.h>
#include <stdbool.h>

#include <bearssl_ec.h>
#include <corral/config.h>
#include <psa/crypto.h>

/*
 * BearSSL has each function twice: for 31-bit words, and for 15-bit words for processors whose
 * 32x32 multiplication is missing, slow, or of a duration that depends on the operands.
 */
#if UINT_MAX == 0xffff || CORRAL_BEARSSL_SHORT_WORDS
#define BEARSSL_P256 br_ec_p256_m15
#define BEARSSL_PRIME br_ec_prime_i15
#define BEARSSL_C25519 br_ec_c25519_i15
#define BEARSSL_ECDSA_SIGN br_ecdsa_i15_sign_raw
#define BEARSSL_ECDSA_VERIFY br_ecdsa_i15_vrfy_raw
#else
#define BEARSSL_P256 br_ec_p256_m31
#define BEARSSL_PRIME br_ec_prime_i31
#define BEARSSL_C25519 br_ec_c25519_i31
#define BEARSSL_ECDSA_SIGN br_ecdsa_i31_sign_raw
#define BEARSSL_ECDSA_VERIFY br_ecdsa_i31_vrfy_raw
#endif

/* Largest point, in bytes: P-521. */
#define BEARSSL_POINT_MAX_SIZE 133

struct bearssl_driver_curve {
    const br_ec_impl *methods;
    int id;      /* BR_EC_... */
    size_t bits; /* as in the PSA key attributes */
    size_t size; /* bytes of a scalar and of a coordinate */
};

/* Known while compiling in builds that have one kind of curve only. */
static inline bool bearssl_driver_is_p256(const struct bearssl_driver_curve *curve)
{
    const bool others = CORRAL_WANT_ECC_SECP_R1_384 || CORRAL_WANT_ECC_SECP_R1_521;

    return CORRAL_WANT_ECC_SECP_R1_256 && (!others || curve->bits == 256);
}

static inline void bearssl_driver_wipe_stack_curve_sign(const struct bearssl_driver_curve *curve)
{
    if (bearssl_driver_is_p256(curve)) {
        bearssl_driver_wipe_stack_p256_sign();
    } else {
        bearssl_driver_wipe_stack_prime_sign();
    }
}

static inline void bearssl_driver_wipe_stack_curve_agree(const struct bearssl_driver_curve *curve)
{
    if (bearssl_driver_is_p256(curve)) {
        bearssl_driver_wipe_stack_p256_agree();
    } else {
        bearssl_driver_wipe_stack_prime_agree();
    }
}

#endif
