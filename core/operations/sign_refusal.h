/* SPDX-License-Identifier: Apache-2.0 */
/* The status if no driver has signed or verified. */
#ifndef CORRAL_CORE_OPERATIONS_SIGN_REFUSAL_H
#define CORRAL_CORE_OPERATIONS_SIGN_REFUSAL_H

#include <stdbool.h>

#include <psa/crypto.h>

/*
 * Why what was asked for is not supported (docs/DECISIONS.md has a row for each case).
 *   PSA_ERROR_INVALID_ARGUMENT  no algorithm that signs, a policy, one that signs no messages, or
 *                               one of keys of another type; for messages also a symmetric key
 *   PSA_ERROR_NOT_SUPPORTED     no driver supports it; to verify hashes also a symmetric key
 */
psa_status_t corral_sign_refusal(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                 bool is_message);

/* The status of a driver, or the reason in place of PSA_ERROR_NOT_SUPPORTED. */
static inline psa_status_t corral_sign_status(psa_status_t status,
                                              const psa_key_attributes_t *attributes,
                                              psa_algorithm_t alg, bool is_message)
{
    return status == PSA_ERROR_NOT_SUPPORTED ? corral_sign_refusal(attributes, alg, is_message)
                                             : status;
}

#endif
