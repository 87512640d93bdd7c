/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the two kinds of ECDSA signature. */
#ifndef MBEDTLS_DRIVER_SIGNER_H
#define MBEDTLS_DRIVER_SIGNER_H

#include "ecc.h"

#include <mbedtls/bignum.h>

struct mbedtls_driver_signer {
    mbedtls_ecp_group group;
    mbedtls_mpi key;
    mbedtls_mpi r;
    mbedtls_mpi s;
};

/* Load the curve and the private key. Returns a result of the library; end() must follow. */
int mbedtls_driver_signer_begin(struct mbedtls_driver_signer *signer,
                                const struct mbedtls_driver_curve *curve,
                                const uint8_t *key_buffer);

/*
 * Write r || s (twice curve->size bytes) if `result` of the steps before is 0; free everything,
 * which wipes it. Returns the status of `result` or of the writing.
 */
psa_status_t mbedtls_driver_signer_end(struct mbedtls_driver_signer *signer,
                                       const struct mbedtls_driver_curve *curve, int result,
                                       uint8_t *signature, size_t *signature_length);

#endif
