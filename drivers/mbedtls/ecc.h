/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of Mbed TLS. Keys, points and r || s have PSA's format; Montgomery keys are little-endian
 * in both. All arithmetic takes memory from the heap.
 */
#ifndef MBEDTLS_DRIVER_ECC_H
#define MBEDTLS_DRIVER_ECC_H

#include <stdbool.h>

#include <mbedtls/ecp.h>
#include <psa/crypto.h>

struct mbedtls_driver_curve {
    psa_ecc_family_t family;
    uint8_t size; /* bytes of a scalar and of a coordinate */
    uint16_t bits;
    uint8_t id; /* mbedtls_ecp_group_id */
};

/*
 * The curve of a key, found by the family in its type and its length in bytes; that the library was
 * configured with it is not checked. Returns null if there is none.
 */
const struct mbedtls_driver_curve *mbedtls_driver_find_curve(const psa_key_attributes_t *attributes,
                                                             size_t key_length);

/* Length of a public key of the curve, in bytes. */
size_t mbedtls_driver_public_size(const struct mbedtls_driver_curve *curve);

/*
 * Read a public key. The formats of SEC 1 that PSA does not know are refused; whether the point
 * lies on the curve is not checked. Returns a result of the library.
 */
int mbedtls_driver_read_point(const struct mbedtls_driver_curve *curve,
                              const mbedtls_ecp_group *group, mbedtls_ecp_point *point,
                              const uint8_t *data, size_t length);

/* The generator that the library is given. Fails with MBEDTLS_ERR_ECP_RANDOM_FAILED only. */
int mbedtls_driver_draw(void *unused, unsigned char *output, size_t size);

#endif
