/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic modulo an odd number over BearSSL's integers, in a time that depends only
 * on the length of the modulus. Numbers are below the modulus unless said otherwise.
 */
#ifndef BEARSSL_MODULUS_H
#define BEARSSL_MODULUS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/config.h>

#include "bearssl_pake.h"

/* As in ecc.h: words of 31 or of 15 bits, behind one that tells their number. */
#if UINT_MAX == 0xffff || CORRAL_BEARSSL_SHORT_WORDS
typedef uint16_t bearssl_driver_word;
#define BEARSSL_WORD_BITS 15
#else
typedef uint32_t bearssl_driver_word;
#define BEARSSL_WORD_BITS 31
#endif

#define BEARSSL_MODULUS_WORDS                                                                      \
    ((8 * BEARSSL_SAE_SCALAR_SIZE + BEARSSL_WORD_BITS - 1) / BEARSSL_WORD_BITS + 1)

typedef bearssl_driver_word bearssl_driver_number[BEARSSL_MODULUS_WORDS];

struct bearssl_driver_modulus {
    bearssl_driver_number number;
    bearssl_driver_word inverse; /* a value for Montgomery's multiplication */
};

/* Read a modulus; big-endian, without leading zero bytes. */
void bearssl_driver_modulus_open(struct bearssl_driver_modulus *modulus, const uint8_t *data,
                                 size_t size);

/* Read a number, big-endian; it becomes 0 and the answer is 0 if it is not below the modulus. */
uint32_t bearssl_driver_modulus_read(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const uint8_t *data, size_t size);

/* Read a number of any length and reduce it. */
void bearssl_driver_modulus_reduce(const struct bearssl_driver_modulus *modulus,
                                   bearssl_driver_number x, const uint8_t *data, size_t size);

/* Write a number, big-endian. */
void bearssl_driver_modulus_write(const bearssl_driver_number x, uint8_t *data, size_t size);

/* Add 1 to a big-endian number; 0 follows the largest. */
void bearssl_driver_modulus_increment(uint8_t *number, size_t size);

/* x = a small number, smaller than the modulus. */
void bearssl_driver_modulus_set(const struct bearssl_driver_modulus *modulus,
                                bearssl_driver_number x, uint8_t value);

/* x = y if `choice` is 1, nothing if it is 0. */
void bearssl_driver_modulus_choose(uint32_t choice, bearssl_driver_number x,
                                   const bearssl_driver_number y);

/* 1 or 0. */
uint32_t bearssl_driver_modulus_is_zero(const bearssl_driver_number x);
uint32_t bearssl_driver_modulus_is_odd(const bearssl_driver_number x);
uint32_t bearssl_driver_modulus_is_equal(const struct bearssl_driver_modulus *modulus,
                                         const bearssl_driver_number x,
                                         const bearssl_driver_number y);

/* x += y, x -= y, x *= y, x = -x, x **= exponent (big-endian). x and y may be one number. */
void bearssl_driver_modulus_add(const struct bearssl_driver_modulus *modulus,
                                bearssl_driver_number x, const bearssl_driver_number y);
void bearssl_driver_modulus_subtract(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const bearssl_driver_number y);
void bearssl_driver_modulus_multiply(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const bearssl_driver_number y);
void bearssl_driver_modulus_negate(const struct bearssl_driver_modulus *modulus,
                                   bearssl_driver_number x);
void bearssl_driver_modulus_power(const struct bearssl_driver_modulus *modulus,
                                  bearssl_driver_number x, const uint8_t *exponent, size_t size);

#endif
