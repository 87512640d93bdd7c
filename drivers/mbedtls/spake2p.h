/* SPDX-License-Identifier: Apache-2.0 */
/* SPAKE2+ inside the driver: names as in RFC 9383, 3. */
#ifndef MBEDTLS_DRIVER_SPAKE2P_H
#define MBEDTLS_DRIVER_SPAKE2P_H

#include <stdbool.h>

#include <corral/pake.h>

#include "mbedtls_pake.h"

static inline bool mbedtls_driver_is_prover(const psa_crypto_driver_pake_inputs_t *inputs)
{
    return inputs->role == PSA_PAKE_ROLE_CLIENT;
}

/* The points M and N of a curve whose scalars have so many bytes, in PSA's format. */
const uint8_t *mbedtls_driver_spake2p_m(size_t scalar_size);
const uint8_t *mbedtls_driver_spake2p_n(size_t scalar_size);

/* The results of both sides, in PSA's format. */
struct mbedtls_driver_spake2p_secrets {
    uint8_t z[MBEDTLS_DRIVER_POINT_SIZE];
    uint8_t v[MBEDTLS_DRIVER_POINT_SIZE];
};

/*
 * From the transcript to the shared key and both confirmations, which the operation keeps. Fails
 * only as the hash and the MAC fail.
 */
psa_status_t mbedtls_driver_spake2p_schedule(mbedtls_driver_spake2p_operation_t *operation,
                                             const psa_crypto_driver_pake_inputs_t *inputs,
                                             size_t scalar_size,
                                             const struct mbedtls_driver_spake2p_secrets *secrets);

#endif
