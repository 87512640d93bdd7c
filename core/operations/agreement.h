/* SPDX-License-Identifier: Apache-2.0 */
/* Agreeing on a shared secret, which becomes a buffer, a key or the input of a derivation. */
#ifndef CORRAL_CORE_OPERATIONS_AGREEMENT_H
#define CORRAL_CORE_OPERATIONS_AGREEMENT_H

#include <corral/dispatch/key_derivation.h>

#include "../keys/key.h"

/* Room for the shared secret of any configured curve: as long as its private keys. */
#define CORRAL_AGREED_MAX_SIZE                                                                     \
    (CORRAL_PAIR_PRIVATE_MAX_SIZE > 32 ? CORRAL_PAIR_PRIVATE_MAX_SIZE : 32)

/* Whether this build has a key derivation, and the agreement that may precede it. */
static inline bool corral_derives(psa_algorithm_t alg)
{
    const bool agrees = !PSA_ALG_IS_KEY_AGREEMENT(alg) ||
                        (CORRAL_WANT_ALG_ECDH && PSA_ALG_IS_ECDH(alg)) ||
                        (CORRAL_WANT_ALG_FFDH && PSA_ALG_IS_FFDH(alg));

    return agrees && corral_key_derivation_supported(PSA_ALG_KEY_AGREEMENT_GET_KDF(alg));
}

/*
 * Agree with a held private key by a standalone algorithm; `output` is wiped after a failure.
 *   PSA_ERROR_INVALID_ARGUMENT  not a private key, or not a public one that fits it
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than the secret
 */
psa_status_t corral_agree(struct corral_key *key, psa_algorithm_t alg, const uint8_t *peer_key,
                          size_t peer_key_length, uint8_t *output, size_t output_size,
                          size_t *output_length);

#endif
