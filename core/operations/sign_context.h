/* SPDX-License-Identifier: Apache-2.0 */
/* Signing and verifying of hashes with a held key, for the functions that have a context. */
#ifndef CORRAL_CORE_OPERATIONS_SIGN_CONTEXT_H
#define CORRAL_CORE_OPERATIONS_SIGN_CONTEXT_H

#include "../keys/key.h"

/* The input of a signature: a hash, or a message; a context of length 0 is the same as none. */
struct corral_signed {
    psa_algorithm_t alg;
    const uint8_t *input;
    size_t input_length;
    const uint8_t *context;
    size_t context_length;
};

/*
 * Whether an algorithm takes a context of this length.
 *   PSA_ERROR_INVALID_ARGUMENT  it does not
 */
psa_status_t corral_check_context(psa_algorithm_t alg, size_t context_length);

/*
 * Sign or verify a hash of the length that the algorithm wants. Outputs are not wiped on failure.
 *   PSA_ERROR_INVALID_ARGUMENT  the key is no pair
 *   PSA_ERROR_NOT_SUPPORTED     no driver does it, or the key is not asymmetric
 */
psa_status_t corral_sign_hash(struct corral_key *key, const struct corral_signed *input,
                              uint8_t *signature, size_t signature_size, size_t *signature_length);
psa_status_t corral_verify_hash(struct corral_key *key, const struct corral_signed *input,
                                const uint8_t *signature, size_t signature_length);

#endif
