/* SPDX-License-Identifier: Apache-2.0 */
#include "modulus.h"

#include <string.h>

#include <corral/driver.h>
#include <inner.h>

#if BEARSSL_WORD_BITS == 15
#define INTEGER(function) br_i15_##function
#define INVERT br_i15_ninv15
#else
#define INTEGER(function) br_i31_##function
#define INVERT br_i31_ninv31
#endif

/* Bytes that the number takes, with the word that tells its length. */
static size_t size_of(const bearssl_driver_number x)
{
    return (1 + ((x[0] + (size_t)BEARSSL_WORD_BITS) / (BEARSSL_WORD_BITS + 1))) * sizeof *x;
}

void bearssl_driver_modulus_open(struct bearssl_driver_modulus *modulus, const uint8_t *data,
                                 size_t size)
{
    INTEGER(decode)(modulus->number, data, size);
    modulus->inverse = INVERT(modulus->number[1]);
}

uint32_t bearssl_driver_modulus_read(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const uint8_t *data, size_t size)
{
    return INTEGER(decode_mod)(x, data, size, modulus->number);
}

void bearssl_driver_modulus_reduce(const struct bearssl_driver_modulus *modulus,
                                   bearssl_driver_number x, const uint8_t *data, size_t size)
{
    INTEGER(decode_reduce)(x, data, size, modulus->number);
}

void bearssl_driver_modulus_write(const bearssl_driver_number x, uint8_t *data, size_t size)
{
    INTEGER(encode)(data, size, x);
}

void bearssl_driver_modulus_increment(uint8_t *number, size_t size)
{
    unsigned carry = 1;

    while (size > 0) {
        size--;
        carry += number[size];
        number[size] = (uint8_t)carry;
        carry >>= 8;
    }
}

void bearssl_driver_modulus_set(const struct bearssl_driver_modulus *modulus,
                                bearssl_driver_number x, uint8_t value)
{
    INTEGER(zero)(x, modulus->number[0]);
    x[1] = value;
}

void bearssl_driver_modulus_choose(uint32_t choice, bearssl_driver_number x,
                                   const bearssl_driver_number y)
{
    CCOPY(choice, x, y, size_of(y));
}

uint32_t bearssl_driver_modulus_is_zero(const bearssl_driver_number x)
{
    return INTEGER(iszero)(x);
}

uint32_t bearssl_driver_modulus_is_odd(const bearssl_driver_number x)
{
    return x[1] & 1u;
}

uint32_t bearssl_driver_modulus_is_equal(const struct bearssl_driver_modulus *modulus,
                                         const bearssl_driver_number x,
                                         const bearssl_driver_number y)
{
    bearssl_driver_number difference;

    memcpy(difference, x, size_of(x));
    bearssl_driver_modulus_subtract(modulus, difference, y);
    const uint32_t answer = INTEGER(iszero)(difference);
    corral_wipe(difference, sizeof difference);
    return answer;
}

void bearssl_driver_modulus_add(const struct bearssl_driver_modulus *modulus,
                                bearssl_driver_number x, const bearssl_driver_number y)
{
    uint32_t is_over = INTEGER(add)(x, y, 1);

    is_over |= NOT(INTEGER(sub)(x, modulus->number, 0));
    (void)INTEGER(sub)(x, modulus->number, is_over);
}

void bearssl_driver_modulus_subtract(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const bearssl_driver_number y)
{
    const uint32_t is_under = INTEGER(sub)(x, y, 1);

    (void)INTEGER(add)(x, modulus->number, is_under);
}

void bearssl_driver_modulus_negate(const struct bearssl_driver_modulus *modulus,
                                   bearssl_driver_number x)
{
    bearssl_driver_number zero;

    INTEGER(zero)(zero, modulus->number[0]);
    bearssl_driver_modulus_subtract(modulus, zero, x);
    memcpy(x, zero, size_of(zero));
    corral_wipe(zero, sizeof zero);
}

void bearssl_driver_modulus_multiply(const struct bearssl_driver_modulus *modulus,
                                     bearssl_driver_number x, const bearssl_driver_number y)
{
    bearssl_driver_number factor;
    bearssl_driver_number product;

    memcpy(factor, y, size_of(y));
    INTEGER(to_monty)(factor, modulus->number);
    INTEGER(montymul)(product, x, factor, modulus->number, modulus->inverse);
    memcpy(x, product, size_of(product));
    corral_wipe(factor, sizeof factor);
    corral_wipe(product, sizeof product);
}

void bearssl_driver_modulus_power(const struct bearssl_driver_modulus *modulus,
                                  bearssl_driver_number x, const uint8_t *exponent, size_t size)
{
    bearssl_driver_number base;
    bearssl_driver_number product;

    INTEGER(modpow)(x, exponent, size, modulus->number, modulus->inverse, base, product);
    corral_wipe(base, sizeof base);
    corral_wipe(product, sizeof product);
}
