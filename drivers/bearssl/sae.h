/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WPA3-SAE (IEEE 802.11-2024, 12.4) in the driver: groups, from a password to an element of one,
 * and the functions that keys come from. Elements are x || y, or a number below the prime; numbers
 * are big-endian and as long as the prime. Nothing but the group decides how long anything takes.
 */
#ifndef BEARSSL_SAE_H
#define BEARSSL_SAE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bearssl_ec.h>
#include <corral/bindings.h>
#include <corral/pake.h>
#include <corral/sae.h>

#include "bearssl_pake.h"
#include "modulus.h"

/* Random numbers that are drawn: each is in range in more than half of all cases. */
#define BEARSSL_SAE_DRAWS 128u

struct bearssl_driver_sae_group {
    const br_ec_impl *curve; /* NULL: a finite field */
    const uint8_t *prime;
    int id; /* BR_EC_..., of a curve */
    uint16_t bits;
    uint16_t size;         /* bytes of the prime */
    uint16_t element_size; /* bytes of an element */
    uint8_t non_square;    /* of a curve: minus this number is the mapping's non-square */
};

/* The group of a primitive or of a password token; NULL if this build has none such. */
const struct bearssl_driver_sae_group *bearssl_driver_sae_group(psa_key_type_t type, size_t bits);

/* Write the order of the group. */
void bearssl_driver_sae_order(const struct bearssl_driver_sae_group *group, uint8_t *order);

/* Whether a scalar is more than 1 and less than the order. */
bool bearssl_driver_sae_is_scalar(const struct bearssl_driver_sae_group *group,
                                  const uint8_t *scalar);

/* Whether bytes are an element of the group other than the neutral one. */
bool bearssl_driver_sae_is_element(const struct bearssl_driver_sae_group *group,
                                   const uint8_t *element);

/*
 * element = scalar * element, in the terms of curves. The answer is false if it is no element, and
 * then it is of no use. The scalar is from 1 to the order less one.
 */
bool bearssl_driver_sae_multiply(const struct bearssl_driver_sae_group *group, uint8_t *element,
                                 const uint8_t *scalar);

/* element = scalar * element + other; false, too, if that is the neutral element. */
bool bearssl_driver_sae_multiply_add(const struct bearssl_driver_sae_group *group, uint8_t *element,
                                     const uint8_t *scalar, size_t scalar_size,
                                     const uint8_t *other);

/* sum = a + b modulo the order. */
void bearssl_driver_sae_add_scalars(const struct bearssl_driver_sae_group *group, uint8_t *sum,
                                    const uint8_t *a, const uint8_t *b);

/* scalar = -scalar modulo the order. */
void bearssl_driver_sae_negate_scalar(const struct bearssl_driver_sae_group *group,
                                      uint8_t *scalar);

/* Draw a scalar: PSA_ERROR_INSUFFICIENT_ENTROPY, and the scalar is of no use. */
psa_status_t bearssl_driver_sae_draw(const struct bearssl_driver_sae_group *group, uint8_t *scalar);

/*
 * The point that a number stands for: by SSWU (RFC 9380, 6.6.2, with the sign of IEEE 802.11).
 * `value` has any length, and is reduced.
 */
void bearssl_driver_sae_map(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                            size_t value_length, uint8_t *element);

/*
 * A candidate of looping: if `value` is x of points of the curve, or a number of the field that
 * gives an element of the group, write it to `element` and answer 1. On a curve y is odd if
 * `is_odd` is. Otherwise the answer is 0, and the element is of no use.
 */
uint32_t bearssl_driver_sae_try(const struct bearssl_driver_sae_group *group, const uint8_t *value,
                                uint32_t is_odd, uint8_t *element);

/*
 * HMAC over a hash; an empty key is one of zeros. Fails as the build's HMAC does; the output is
 * as long as the hash.
 */
psa_status_t bearssl_driver_sae_hmac(psa_algorithm_t hash, const uint8_t *key, size_t key_length,
                                     const uint8_t *message, size_t length, uint8_t *output);

/*
 * KDF-Hash-Length (12.7.1.6.2): `bits` of output; the first byte has the odd ones of them. The
 * context is at most as long as a prime, a label as "SAE Hunting and Pecking".
 */
psa_status_t bearssl_driver_sae_kdf(psa_algorithm_t hash, const uint8_t *key, const char *label,
                                    const uint8_t *context, size_t context_length, uint8_t *output,
                                    size_t bits);

/*
 * The element of a password by looping (12.4.4.2.2, 12.4.4.3.2); `addresses`: the larger one first.
 *   PSA_ERROR_GENERIC_ERROR  none was found, which happens to one password of 2^40
 */
psa_status_t bearssl_driver_sae_loop(const struct bearssl_driver_sae_group *group,
                                     const uint8_t *password, size_t length,
                                     const uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE],
                                     uint8_t *element);

/* The element of a token for two addresses (12.4.4.2.3, 12.4.4.3.3). */
psa_status_t bearssl_driver_sae_element(const struct bearssl_driver_sae_group *group,
                                        const uint8_t *token,
                                        const uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE],
                                        uint8_t *element);

#endif
