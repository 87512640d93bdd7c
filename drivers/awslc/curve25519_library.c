/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curve25519 of AWS-LC: assembly of s2n-bignum on x86-64 (points25519.S), C on AArch64. The
 * library verifies without the cofactor, and its interface has no part of that, so verification is
 * made here of its internal functions.
 */
#include "curve25519.h"

#include <string.h>

#include <corral/driver.h>
#include <openssl/base.h>
#include <openssl/err.h>
#include <openssl/rand.h>

/* Where names get a prefix the compiler does not see that they are in a system's header. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* The driver draws keys; the functions that would are not called. Results say what failed. */
#undef RAND_bytes
#undef OPENSSL_PUT_ERROR
#define RAND_bytes(output, size) 0
#define OPENSSL_PUT_ERROR(library, reason) ((void)0)

#if !defined(OPENSSL_X86_64)
#define OPENSSL_NO_ASM
#endif

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include <crypto/fipsmodule/curve25519/curve25519.c>
#if defined(OPENSSL_X86_64)
#include <crypto/fipsmodule/curve25519/curve25519_s2n_bignum_asm.c>
#else
#include <crypto/fipsmodule/curve25519/curve25519_nohw.c>
#endif
/* NOLINTEND(bugprone-suspicious-include) */

#define SIZE AWSLC_KEY25519_SIZE

/* Encode 8 P. Returns false if no point P has this encoding. */
#if defined(OPENSSL_X86_64)
#define compute_r ed25519_verify_s2n_bignum

static bool times_eight(uint8_t product[SIZE], const uint8_t point[SIZE])
{
    uint64_t eight[4] = {8};
    uint64_t zero[4] = {0};
    uint64_t p[8];
    uint64_t p8[8];

    if (edwards25519_decode_selector(p, point) != 0) {
        return false;
    }
    edwards25519_scalarmuldouble_selector(p8, eight, p, zero);
    edwards25519_encode(product, p8);
    return true;
}
#else
#define compute_r ed25519_verify_nohw

static bool times_eight(uint8_t product[SIZE], const uint8_t point[SIZE])
{
    ge_p3 p;
    ge_p2 multiple;
    ge_p1p1 doubled;

    if (x25519_ge_frombytes_vartime(&p, point) != 1) {
        return false;
    }
    ge_p3_to_p2(&multiple, &p);
    for (int i = 0; i < 3; i++) {
        ge_p2_dbl(&doubled, &multiple);
        x25519_ge_p1p1_to_p2(&multiple, &doubled);
    }
    x25519_ge_tobytes(product, &multiple);
    return true;
}
#endif

bool awslc_ed25519_is_public(const uint8_t *key)
{
    static const uint8_t neutral[SIZE] = {1};
    uint8_t product[SIZE];

    return times_eight(product, key) && !corral_equal(product, neutral, SIZE);
}

static bool is_below_order(const uint8_t s[SIZE])
{
    static const uint8_t order[SIZE] = {
        0xed,
        0xd3,
        0xf5,
        0x5c,
        0x1a,
        0x63,
        0x12,
        0x58,
        0xd6,
        0x9c,
        0xf7,
        0xa2,
        0xde,
        0xf9,
        0xde,
        0x14,
        [SIZE - 1] = 0x10,
    };
    size_t i = SIZE - 1;

    while (i > 0 && s[i] == order[i]) {
        i--;
    }
    return s[i] < order[i];
}

/* True if both are encodings of points, and the multiples by eight are the same. */
static bool is_same_by_cofactor(const uint8_t one[SIZE], const uint8_t other[SIZE])
{
    uint8_t products[2][SIZE];

    return times_eight(products[0], one) && times_eight(products[1], other) &&
           corral_equal(products[0], products[1], SIZE);
}

/*
 * Whether 8 (S B - k A) is 8 R. If S B - k A is already R, as in each signature that RFC 8032
 * makes, the cofactor takes no time.
 */
bool awslc_ed25519_verify(const struct awslc_text25519 *text,
                          const uint8_t signature[AWSLC_SIGNATURE25519_SIZE],
                          const uint8_t public_key[AWSLC_KEY25519_SIZE])
{
    uint8_t prefix[MAX_DOM2_SIZE];
    size_t prefix_length;
    uint8_t r[SIZE];
    uint8_t s[SIZE];
    uint8_t computed[SIZE];

    memcpy(r, signature, SIZE);
    memcpy(s, signature + SIZE, SIZE);
    return is_below_order(s) &&
           dom2(text->is_hash ? ED25519PH_ALG : ED25519_ALG, prefix, &prefix_length, text->context,
                text->context_length) == 1 &&
           compute_r(computed, public_key, r, s, text->input, text->input_length, prefix,
                     prefix_length) == 1 &&
           (corral_equal(computed, r, SIZE) || is_same_by_cofactor(computed, r));
}
