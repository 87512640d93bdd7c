/* SPDX-License-Identifier: Apache-2.0 */
#include "ecc.h"
#include "sae.h"
#include "sae_primes.h"

#include <string.h>

#include <corral/driver.h>

#define HAS_FIELDS CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH
#define UNCOMPRESSED 0x04

static const struct bearssl_driver_sae_group p256 = {
    &BEARSSL_P256, bearssl_driver_sae_prime_256, BR_EC_secp256r1, 256, 32, 64, 10};
static const struct bearssl_driver_sae_group p384 = {
    &BEARSSL_PRIME, bearssl_driver_sae_prime_384, BR_EC_secp384r1, 384, 48, 96, 12};
static const struct bearssl_driver_sae_group p521 = {
    &BEARSSL_PRIME, bearssl_driver_sae_prime_521, BR_EC_secp521r1, 521, 66, 132, 4};
static const struct bearssl_driver_sae_group modp3072 = {
    NULL, bearssl_driver_sae_prime_3072, 0, 3072, 384, 384, 0};
static const struct bearssl_driver_sae_group modp4096 = {
    NULL, bearssl_driver_sae_prime_4096, 0, 4096, 512, 512, 0};

const struct bearssl_driver_sae_group *bearssl_driver_sae_group(psa_key_type_t type, size_t bits)
{
    if (HAS_FIELDS && corral_sae_is_field(type)) {
        if (CORRAL_WANT_DH_RFC3526_3072 && bits == 3072) {
            return &modp3072;
        }
        return CORRAL_WANT_DH_RFC3526_4096 && bits == 4096 ? &modp4096 : NULL;
    }
    if (CORRAL_WANT_ECC_SECP_R1_256 && bits == 256) {
        return &p256;
    }
    if (CORRAL_WANT_ECC_SECP_R1_384 && bits == 384) {
        return &p384;
    }
    return CORRAL_WANT_ECC_SECP_R1_521 && bits == 521 ? &p521 : NULL;
}

static bool is_curve(const struct bearssl_driver_sae_group *group)
{
    return !HAS_FIELDS || group->curve != NULL;
}

void bearssl_driver_sae_order(const struct bearssl_driver_sae_group *group, uint8_t *order)
{
    unsigned carry = 0;

    if (is_curve(group)) {
        size_t length;
        memcpy(order, group->curve->order(group->id, &length), group->size);
        return;
    }
    /* The primes are safe ones: the squares are a group of half their order, which is prime. */
    for (size_t i = 0; i < group->size; i++) {
        order[i] = (uint8_t)(carry << 7 | (unsigned)group->prime[i] >> 1);
        carry = group->prime[i] & 1u;
    }
}

static void open_order(const struct bearssl_driver_sae_group *group,
                       struct bearssl_driver_modulus *order)
{
    uint8_t bytes[BEARSSL_SAE_SCALAR_SIZE];

    bearssl_driver_sae_order(group, bytes);
    bearssl_driver_modulus_open(order, bytes, group->size);
}

/* Whether a number is below the modulus, and neither 0 nor 1. */
static bool is_within(const struct bearssl_driver_modulus *modulus, const uint8_t *data,
                      size_t size)
{
    bearssl_driver_number x;
    bearssl_driver_number one;

    uint32_t is_good = bearssl_driver_modulus_read(modulus, x, data, size);
    bearssl_driver_modulus_set(modulus, one, 1);
    is_good &= bearssl_driver_modulus_is_zero(x) ^ 1;
    is_good &= bearssl_driver_modulus_is_equal(modulus, x, one) ^ 1;
    corral_wipe(x, sizeof x);
    return is_good == 1;
}

bool bearssl_driver_sae_is_scalar(const struct bearssl_driver_sae_group *group,
                                  const uint8_t *scalar)
{
    struct bearssl_driver_modulus order;

    open_order(group, &order);
    return is_within(&order, scalar, group->size);
}

/* A number is in the group if the order's power of it is 1. */
static bool is_square(const struct bearssl_driver_sae_group *group, const uint8_t *element)
{
    struct bearssl_driver_modulus prime;
    bearssl_driver_number x;
    bearssl_driver_number one;
    uint8_t order[BEARSSL_SAE_SCALAR_SIZE];

    bearssl_driver_modulus_open(&prime, group->prime, group->size);
    if (!is_within(&prime, element, group->size)) {
        return false;
    }
    (void)bearssl_driver_modulus_read(&prime, x, element, group->size);
    bearssl_driver_sae_order(group, order);
    bearssl_driver_modulus_power(&prime, x, order, group->size);
    bearssl_driver_modulus_set(&prime, one, 1);
    const bool is_good = bearssl_driver_modulus_is_equal(&prime, x, one) == 1;
    corral_wipe(x, sizeof x);
    return is_good;
}

/* BearSSL checks a point when it multiplies it; the factor 1 makes that cheap. */
static bool is_point(const struct bearssl_driver_sae_group *group, const uint8_t *element)
{
    static const uint8_t one = 1;
    uint8_t point[BEARSSL_POINT_MAX_SIZE];

    point[0] = UNCOMPRESSED;
    memcpy(point + 1, element, group->element_size);
    const bool is_good =
        group->curve->mul(point, 1u + group->element_size, &one, sizeof one, group->id) == 1;
    corral_wipe(point, sizeof point);
    return is_good;
}

bool bearssl_driver_sae_is_element(const struct bearssl_driver_sae_group *group,
                                   const uint8_t *element)
{
    return is_curve(group) ? is_point(group, element) : is_square(group, element);
}

/* element **= scalar, times other unless that is NULL; whether it is not the neutral one. */
static bool multiply_in_field(const struct bearssl_driver_sae_group *group, uint8_t *element,
                              const uint8_t *scalar, size_t scalar_size, const uint8_t *other)
{
    struct bearssl_driver_modulus prime;
    bearssl_driver_number x;
    bearssl_driver_number y;

    bearssl_driver_modulus_open(&prime, group->prime, group->size);
    (void)bearssl_driver_modulus_read(&prime, x, element, group->size);
    bearssl_driver_modulus_power(&prime, x, scalar, scalar_size);
    if (other != NULL) {
        (void)bearssl_driver_modulus_read(&prime, y, other, group->size);
        bearssl_driver_modulus_multiply(&prime, x, y);
        corral_wipe(y, sizeof y);
    }
    bearssl_driver_modulus_write(x, element, group->size);
    corral_wipe(x, sizeof x);
    return is_within(&prime, element, group->size);
}

bool bearssl_driver_sae_multiply(const struct bearssl_driver_sae_group *group, uint8_t *element,
                                 const uint8_t *scalar)
{
    uint8_t point[BEARSSL_POINT_MAX_SIZE];

    if (!is_curve(group)) {
        return multiply_in_field(group, element, scalar, group->size, NULL);
    }
    point[0] = UNCOMPRESSED;
    memcpy(point + 1, element, group->element_size);
    const bool is_good =
        group->curve->mul(point, 1u + group->element_size, scalar, group->size, group->id) == 1;
    memcpy(element, point + 1, group->element_size);
    corral_wipe(point, sizeof point);
    return is_good;
}

bool bearssl_driver_sae_multiply_add(const struct bearssl_driver_sae_group *group, uint8_t *element,
                                     const uint8_t *scalar, size_t scalar_size,
                                     const uint8_t *other)
{
    static const uint8_t one = 1;
    uint8_t point[BEARSSL_POINT_MAX_SIZE];
    uint8_t summand[BEARSSL_POINT_MAX_SIZE];

    if (!is_curve(group)) {
        return multiply_in_field(group, element, scalar, scalar_size, other);
    }
    point[0] = summand[0] = UNCOMPRESSED;
    memcpy(point + 1, element, group->element_size);
    memcpy(summand + 1, other, group->element_size);
    const bool is_good = group->curve->muladd(point, summand, 1u + group->element_size, scalar,
                                              scalar_size, &one, sizeof one, group->id) == 1;
    memcpy(element, point + 1, group->element_size);
    corral_wipe(point, sizeof point);
    corral_wipe(summand, sizeof summand);
    return is_good;
}

void bearssl_driver_sae_add_scalars(const struct bearssl_driver_sae_group *group, uint8_t *sum,
                                    const uint8_t *a, const uint8_t *b)
{
    struct bearssl_driver_modulus order;
    bearssl_driver_number x;
    bearssl_driver_number y;

    open_order(group, &order);
    (void)bearssl_driver_modulus_read(&order, x, a, group->size);
    (void)bearssl_driver_modulus_read(&order, y, b, group->size);
    bearssl_driver_modulus_add(&order, x, y);
    bearssl_driver_modulus_write(x, sum, group->size);
    corral_wipe(x, sizeof x);
    corral_wipe(y, sizeof y);
}

void bearssl_driver_sae_negate_scalar(const struct bearssl_driver_sae_group *group, uint8_t *scalar)
{
    struct bearssl_driver_modulus order;
    bearssl_driver_number x;

    open_order(group, &order);
    (void)bearssl_driver_modulus_read(&order, x, scalar, group->size);
    bearssl_driver_modulus_negate(&order, x);
    bearssl_driver_modulus_write(x, scalar, group->size);
    corral_wipe(x, sizeof x);
}

psa_status_t bearssl_driver_sae_draw(const struct bearssl_driver_sae_group *group, uint8_t *scalar)
{
    /* An order of a field has a bit less than the prime; that of P-521 has 521 bits, too. */
    const unsigned spare = 8u * group->size - group->bits + (is_curve(group) ? 0 : 1);

    for (unsigned i = 0; i < BEARSSL_SAE_DRAWS; i++) {
        psa_status_t status = corral_random(scalar, group->size);
        if (status != PSA_SUCCESS) {
            return status;
        }
        scalar[0] = (uint8_t)(scalar[0] & (0xffu >> spare));
        if (bearssl_driver_sae_is_scalar(group, scalar)) {
            return PSA_SUCCESS;
        }
    }
    return PSA_ERROR_INSUFFICIENT_ENTROPY;
}
