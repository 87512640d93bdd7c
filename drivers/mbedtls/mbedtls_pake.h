/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of an exchange by password between two calls. Numbers and points are bytes,
 * because the library's own have pointers, and an application may move its operation.
 */
#ifndef MBEDTLS_DRIVER_PAKE_H
#define MBEDTLS_DRIVER_PAKE_H

#include <stdint.h>

#include <corral/bindings.h>
#include <corral/config.h>

/* Bytes of a scalar and of a coordinate of the largest curve, and of a point. */
#define MBEDTLS_DRIVER_SCALAR_SIZE                                                                 \
    (CORRAL_WANT_ECC_SECP_R1_521          ? 66                                                     \
     : CORRAL_WANT_ECC_BRAINPOOL_P_R1_512 ? 64                                                     \
     : CORRAL_WANT_ECC_SECP_R1_384        ? 48                                                     \
     : CORRAL_WANT_ECC_BRAINPOOL_P_R1_384 ? 48                                                     \
                                          : 32)
#define MBEDTLS_DRIVER_POINT_SIZE (2 * MBEDTLS_DRIVER_SCALAR_SIZE + 1)

/* J-PAKE; names as in RFC 8236. */
typedef struct {
    uint8_t secret[MBEDTLS_DRIVER_SCALAR_SIZE];   /* x2 */
    uint8_t scalar[MBEDTLS_DRIVER_SCALAR_SIZE];   /* of the share to be proved; then the proof */
    uint8_t ephemeral[MBEDTLS_DRIVER_POINT_SIZE]; /* V of the present proof, of either side */
    uint8_t own[3][MBEDTLS_DRIVER_POINT_SIZE];    /* G1, G2, A */
    uint8_t peer[3][MBEDTLS_DRIVER_POINT_SIZE];   /* G3, G4, B */
} mbedtls_driver_jpake_operation_t;

/* SPAKE2+; values after the shares are computed when both are there. */
typedef struct {
    uint8_t secret[MBEDTLS_DRIVER_SCALAR_SIZE]; /* x or y */
    uint8_t own[MBEDTLS_DRIVER_POINT_SIZE];
    uint8_t peer[MBEDTLS_DRIVER_POINT_SIZE];
    uint8_t own_confirmation[CORRAL_HASH_MAX_LENGTH];
    uint8_t peer_confirmation[CORRAL_HASH_MAX_LENGTH];
    uint8_t shared[CORRAL_HASH_MAX_LENGTH];
    uint8_t confirmation_length;
    uint8_t shared_length;
} mbedtls_driver_spake2p_operation_t;

#endif
