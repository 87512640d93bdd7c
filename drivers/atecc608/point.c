/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this a point of P-256? The data sheet does not promise that the chip asks, and a point of
 * another curve would draw bits of a private key out of ECDH. It is therefore checked
 * here, in the smallest way: big-endian bytes, multiplication by doubling and adding.
 * Curve: y^2 = x^3 - 3x + b over the prime p, order n (NIST SP 800-186, 3.2.1.3).
 */
#include "p256.h"

#include <string.h>

#define SIZE ATECC608_SCALAR_SIZE

static const uint8_t prime[SIZE] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};
static const uint8_t curve_b[SIZE] = {
    0x5A, 0xC6, 0x35, 0xD8, 0xAA, 0x3A, 0x93, 0xE7, 0xB3, 0xEB, 0xBD, 0x55, 0x76, 0x98, 0x86, 0xBC,
    0x65, 0x1D, 0x06, 0xB0, 0xCC, 0x53, 0xB0, 0xF6, 0x3B, 0xCE, 0x3C, 0x3E, 0x27, 0xD2, 0x60, 0x4B,
};
static const uint8_t order[SIZE] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
};

/* a = a + b mod p, for a and b below p. */
static void add(uint8_t a[SIZE], const uint8_t b[SIZE])
{
    unsigned carry = 0;

    for (size_t i = SIZE; i-- > 0;) {
        carry += (unsigned)a[i] + b[i];
        a[i] = (uint8_t)carry;
        carry >>= 8;
    }
    if (carry != 0 || memcmp(a, prime, SIZE) >= 0) {
        unsigned borrow = 0;

        for (size_t i = SIZE; i-- > 0;) {
            borrow = (unsigned)a[i] - prime[i] - borrow;
            a[i] = (uint8_t)borrow;
            borrow = borrow >> 8 & 1u;
        }
    }
}

/* product = a * b mod p; `product` is neither of them. */
static void multiply(uint8_t product[SIZE], const uint8_t a[SIZE], const uint8_t b[SIZE])
{
    memset(product, 0, SIZE);
    for (size_t i = 0; i < 8 * SIZE; i++) {
        uint8_t twice[SIZE];

        memcpy(twice, product, SIZE);
        add(product, twice);
        if ((b[i / 8] >> (7 - i % 8) & 1) != 0) {
            add(product, a);
        }
    }
}

bool atecc608_is_public_key(const uint8_t *key, size_t key_length)
{
    const uint8_t *x = key + 1;
    const uint8_t *y = key + 1 + SIZE;
    uint8_t left[SIZE]; /* y^2 + 3x */
    uint8_t square[SIZE];
    uint8_t right[SIZE]; /* x^3 + b */

    if (key_length != 1 + 2 * SIZE || key[0] != 0x04 || memcmp(x, prime, SIZE) >= 0 ||
        memcmp(y, prime, SIZE) >= 0) {
        return false;
    }
    multiply(left, y, y);
    add(left, x);
    add(left, x);
    add(left, x);
    multiply(square, x, x);
    multiply(right, square, x);
    add(right, curve_b);
    return memcmp(left, right, SIZE) == 0;
}

bool atecc608_is_scalar(const uint8_t value[ATECC608_SCALAR_SIZE])
{
    unsigned any = 0;
    unsigned borrow = 0;

    for (size_t i = SIZE; i-- > 0;) {
        borrow = ((unsigned)value[i] - order[i] - borrow) >> 8 & 1u;
        any |= value[i];
    }
    return (borrow & (unsigned)(any != 0)) != 0;
}
