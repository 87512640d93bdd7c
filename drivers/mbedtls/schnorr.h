/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schnorr's proof that one knows the scalar of a point (RFC 8235), with the hash over generator, V,
 * point and name, each behind its length in four bytes, as J-PAKE in TLS and Thread has it.
 */
#ifndef MBEDTLS_DRIVER_SCHNORR_H
#define MBEDTLS_DRIVER_SCHNORR_H

#include "group.h"

/* The statement to prove, in PSA's format; group->point is the generator. */
struct mbedtls_driver_statement {
    psa_algorithm_t hash_alg;
    const uint8_t *ephemeral; /* V */
    const uint8_t *point;
    const uint8_t *name; /* of the one who proves */
    size_t name_length;
};

/*
 * The status of the hash if that fails, otherwise of the library. The generator's other members are
 * overwritten.
 *
 * prove: r = v - x h, where `scalar` holds x before and r after; `ephemeral` is v.
 */
psa_status_t mbedtls_driver_schnorr_prove(struct mbedtls_driver_group *group,
                                          const struct mbedtls_driver_statement *statement,
                                          const mbedtls_mpi *ephemeral, uint8_t *scalar);

/*
 * check: V = r G + h X.
 *   PSA_ERROR_INVALID_SIGNATURE  it is not
 *   PSA_ERROR_INVALID_ARGUMENT   `proof` is longer than any, or empty
 */
psa_status_t mbedtls_driver_schnorr_check(struct mbedtls_driver_group *group,
                                          const struct mbedtls_driver_statement *statement,
                                          const uint8_t *proof, size_t proof_length);

#endif
