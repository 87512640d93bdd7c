/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic in the group of a curve, for exchanges by password: points and scalars in PSA's format
 * outside, and in the library's inside. All functions return a result of the library.
 */
#ifndef MBEDTLS_DRIVER_GROUP_H
#define MBEDTLS_DRIVER_GROUP_H

#include <mbedtls/ecp.h>
#include <psa/crypto.h>

/* A group, and the variables of a step. */
struct mbedtls_driver_group {
    mbedtls_ecp_group group;
    mbedtls_ecp_point point;
    mbedtls_ecp_point other;
    mbedtls_mpi scalar;
    mbedtls_mpi factor;
    size_t size; /* bytes of a scalar and of a coordinate */
    size_t bits;
};

/*
 * Load a group, found by family and size of scalars or described as a public key of it. To be
 * closed even after a failure.
 *   MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE  the driver has no such curve
 */
int mbedtls_driver_group_open(struct mbedtls_driver_group *group, psa_ecc_family_t family,
                              size_t size);
int mbedtls_driver_group_open_public(struct mbedtls_driver_group *group,
                                     const psa_key_attributes_t *attributes);
void mbedtls_driver_group_close(struct mbedtls_driver_group *group);

/* Bytes of a point. */
static inline size_t mbedtls_driver_group_point_size(const struct mbedtls_driver_group *group)
{
    return 2 * group->size + 1;
}

/*
 * Read a point that must lie on the curve; infinity has no bytes and cannot be read.
 *   MBEDTLS_ERR_ECP_BAD_INPUT_DATA, MBEDTLS_ERR_ECP_INVALID_KEY  it is none
 */
int mbedtls_driver_group_read(struct mbedtls_driver_group *group, mbedtls_ecp_point *point,
                              const uint8_t *data, size_t length);

/*
 * Keep a point that comes from outside, and check what was kept: the bytes are read once. The
 * buffer has room for a point; group->point is overwritten.
 */
int mbedtls_driver_group_keep(struct mbedtls_driver_group *group, uint8_t *kept,
                              const uint8_t *data, size_t length);

/* Write a point that is not infinity; the buffer has room for one. */
int mbedtls_driver_group_write(struct mbedtls_driver_group *group, const mbedtls_ecp_point *point,
                               uint8_t *data);

/* Read a scalar of the group's size without a check, and write one that is below the order. */
int mbedtls_driver_group_read_scalar(struct mbedtls_driver_group *group, mbedtls_mpi *scalar,
                                     const uint8_t *data);
int mbedtls_driver_group_write_scalar(struct mbedtls_driver_group *group, const mbedtls_mpi *scalar,
                                      uint8_t *data);

/* Draw a scalar from 1 to the order less one. */
int mbedtls_driver_group_draw(struct mbedtls_driver_group *group, mbedtls_mpi *scalar);

/* result = scalar * point, with blinding; the scalar is from 1 to the order less one. */
int mbedtls_driver_group_multiply(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                                  const mbedtls_mpi *scalar, const mbedtls_ecp_point *point);

/* result += point, result -= point. The point may be a secret. */
int mbedtls_driver_group_add(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                             const mbedtls_ecp_point *point);
int mbedtls_driver_group_subtract(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                                  const mbedtls_ecp_point *point);

/* Reduce a number of any length modulo the order. */
int mbedtls_driver_group_reduce(struct mbedtls_driver_group *group, mbedtls_mpi *scalar,
                                const uint8_t *data, size_t length);

/* result = a * b modulo the order, where `b` is secret and is blinded. */
int mbedtls_driver_group_multiply_scalars(struct mbedtls_driver_group *group, mbedtls_mpi *result,
                                          const mbedtls_mpi *a, const mbedtls_mpi *b);

#endif
