/* SPDX-License-Identifier: Apache-2.0 */
#include "sae.h"

#include <string.h>

#include <corral/driver.h>

/* A coordinate and a byte: the generator of a curve, as BearSSL gives it. */
#define GENERATOR_X 1

/* y^2 = x^3 - 3x + b modulo a prime that is 3 modulo 4: all curves of this driver. */
struct equation {
    struct bearssl_driver_modulus prime;
    bearssl_driver_number b;
    uint8_t root[BEARSSL_SAE_CURVE_SIZE];    /* exponent that gives a square root */
    uint8_t inverse[BEARSSL_SAE_CURVE_SIZE]; /* exponent that gives the inverse */
    size_t size;
};

/* y = x^3 - 3x */
static void cube(const struct bearssl_driver_modulus *prime, bearssl_driver_number y,
                 const bearssl_driver_number x)
{
    bearssl_driver_number square;

    memcpy(square, x, sizeof square);
    bearssl_driver_modulus_multiply(prime, square, x);
    bearssl_driver_modulus_set(prime, y, 3);
    bearssl_driver_modulus_negate(prime, y);
    bearssl_driver_modulus_add(prime, y, square);
    bearssl_driver_modulus_multiply(prime, y, x);
    corral_wipe(square, sizeof square);
}

/* b follows from the generator: y^2 - (x^3 - 3x). */
static void find_b(struct equation *equation, const struct bearssl_driver_sae_group *group)
{
    bearssl_driver_number x;
    bearssl_driver_number y;
    size_t length;
    const uint8_t *const generator = group->curve->generator(group->id, &length);

    (void)bearssl_driver_modulus_read(&equation->prime, x, generator + GENERATOR_X, group->size);
    (void)bearssl_driver_modulus_read(&equation->prime, y, generator + GENERATOR_X + group->size,
                                      group->size);
    bearssl_driver_modulus_multiply(&equation->prime, y, y);
    cube(&equation->prime, equation->b, x);
    bearssl_driver_modulus_negate(&equation->prime, equation->b);
    bearssl_driver_modulus_add(&equation->prime, equation->b, y);
}

static void open(struct equation *equation, const struct bearssl_driver_sae_group *group)
{
    unsigned carry = 0;

    equation->size = group->size;
    bearssl_driver_modulus_open(&equation->prime, group->prime, group->size);
    find_b(equation, group);
    for (size_t i = 0; i < group->size; i++) {
        equation->root[i] = (uint8_t)(carry << 6 | (unsigned)group->prime[i] >> 2);
        equation->inverse[i] = group->prime[i];
        carry = group->prime[i] & 3u;
    }
    /* (p + 1) / 4 is one more than p / 4, and the last byte of each prime is ff. */
    bearssl_driver_modulus_increment(equation->root, group->size);
    equation->inverse[group->size - 1] = (uint8_t)(equation->inverse[group->size - 1] - 2);
}

/* y = a square root of the equation's value for x; whether it has one. */
static uint32_t solve(const struct equation *equation, bearssl_driver_number y,
                      const bearssl_driver_number x)
{
    bearssl_driver_number value;
    bearssl_driver_number square;

    cube(&equation->prime, value, x);
    bearssl_driver_modulus_add(&equation->prime, value, equation->b);
    memcpy(y, value, sizeof value);
    bearssl_driver_modulus_power(&equation->prime, y, equation->root, equation->size);
    memcpy(square, y, sizeof square);
    bearssl_driver_modulus_multiply(&equation->prime, square, y);
    const uint32_t is_root = bearssl_driver_modulus_is_equal(&equation->prime, square, value);
    corral_wipe(value, sizeof value);
    corral_wipe(square, sizeof square);
    return is_root;
}

/* Write the point with x and the one of its two y that is odd, or is not. */
static void write(const struct equation *equation, const bearssl_driver_number x,
                  bearssl_driver_number y, uint32_t is_odd, uint8_t *element)
{
    bearssl_driver_number other;

    memcpy(other, y, sizeof other);
    bearssl_driver_modulus_negate(&equation->prime, other);
    bearssl_driver_modulus_choose(bearssl_driver_modulus_is_odd(y) ^ is_odd, y, other);
    bearssl_driver_modulus_write(x, element, equation->size);
    bearssl_driver_modulus_write(y, element + equation->size, equation->size);
    corral_wipe(other, sizeof other);
}

/*
 * x1 = (-b / a) (1 + 1 / m), or b / (z a) if m is 0. With a = -3 and z = -n that is b (m + 1) / 3m,
 * or b / 3n, so that one inversion does for both.
 */
static void first_x(const struct equation *equation, bearssl_driver_number x,
                    const bearssl_driver_number m, uint8_t n)
{
    const uint32_t is_special = bearssl_driver_modulus_is_zero(m);
    bearssl_driver_number below;
    bearssl_driver_number number;

    memcpy(below, m, sizeof below);
    bearssl_driver_modulus_set(&equation->prime, number, n);
    bearssl_driver_modulus_choose(is_special, below, number);
    bearssl_driver_modulus_set(&equation->prime, number, 3);
    bearssl_driver_modulus_multiply(&equation->prime, below, number);
    bearssl_driver_modulus_power(&equation->prime, below, equation->inverse, equation->size);
    /* m + 1 is 1 if m is 0. */
    bearssl_driver_modulus_set(&equation->prime, x, 1);
    bearssl_driver_modulus_add(&equation->prime, x, m);
    bearssl_driver_modulus_multiply(&equation->prime, x, equation->b);
    bearssl_driver_modulus_multiply(&equation->prime, x, below);
    corral_wipe(below, sizeof below);
}

void bearssl_driver_sae_map(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                            size_t value_length, uint8_t *element)
{
    struct equation equation;
    bearssl_driver_number u;
    bearssl_driver_number m;
    bearssl_driver_number x;
    bearssl_driver_number y;
    bearssl_driver_number other;

    open(&equation, group);
    bearssl_driver_modulus_reduce(&equation.prime, u, value, value_length);
    const uint32_t is_odd = bearssl_driver_modulus_is_odd(u);
    /* u = z u^2; m = u^2 + u */
    bearssl_driver_modulus_multiply(&equation.prime, u, u);
    bearssl_driver_modulus_set(&equation.prime, m, group->non_square);
    bearssl_driver_modulus_negate(&equation.prime, m);
    bearssl_driver_modulus_multiply(&equation.prime, u, m);
    memcpy(m, u, sizeof m);
    bearssl_driver_modulus_multiply(&equation.prime, m, u);
    bearssl_driver_modulus_add(&equation.prime, m, u);
    first_x(&equation, x, m, group->non_square);
    const uint32_t is_first = solve(&equation, y, x);
    /* x2 = z u^2 x1, whose y is taken if x1 has none. */
    bearssl_driver_modulus_multiply(&equation.prime, u, x);
    (void)solve(&equation, other, u);
    bearssl_driver_modulus_choose(is_first ^ 1, x, u);
    bearssl_driver_modulus_choose(is_first ^ 1, y, other);
    write(&equation, x, y, is_odd, element);
    corral_wipe(u, sizeof u);
    corral_wipe(m, sizeof m);
    corral_wipe(x, sizeof x);
    corral_wipe(y, sizeof y);
    corral_wipe(other, sizeof other);
}

static uint32_t try_curve(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                          uint32_t is_odd, uint8_t *element)
{
    struct equation equation;
    bearssl_driver_number x;
    bearssl_driver_number y;

    open(&equation, group);
    uint32_t is_good = bearssl_driver_modulus_read(&equation.prime, x, value, group->size);
    is_good &= solve(&equation, y, x);
    write(&equation, x, y, is_odd, element);
    corral_wipe(x, sizeof x);
    corral_wipe(y, sizeof y);
    return is_good;
}

/* The square of a number is in the group; that of 1, and of its negative, is no use. */
static uint32_t try_field(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                          uint8_t *element)
{
    struct bearssl_driver_modulus prime;
    bearssl_driver_number x;
    bearssl_driver_number one;

    bearssl_driver_modulus_open(&prime, group->prime, group->size);
    uint32_t is_good = bearssl_driver_modulus_read(&prime, x, value, group->size);
    bearssl_driver_modulus_multiply(&prime, x, x);
    bearssl_driver_modulus_set(&prime, one, 1);
    is_good &= bearssl_driver_modulus_is_zero(x) ^ 1;
    is_good &= bearssl_driver_modulus_is_equal(&prime, x, one) ^ 1;
    bearssl_driver_modulus_write(x, element, group->size);
    corral_wipe(x, sizeof x);
    return is_good;
}

uint32_t bearssl_driver_sae_try(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                                uint32_t is_odd, uint8_t *element)
{
    return CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH && group->curve == NULL
               ? try_field(group, value, element)
               : try_curve(group, value, is_odd, element);
}
