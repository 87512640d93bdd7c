/* SPDX-License-Identifier: Apache-2.0 */
#include "sign_refusal.h"

#include <corral/bindings.h>
#include <corral/families.h>

/* Keys of types that the build does not want cannot exist. */
#define IS_SYMMETRIC(type) (!PSA_KEY_TYPE_IS_ASYMMETRIC(type))
#define HAS_SYMMETRIC                                                                              \
    (CORRAL_HAS_UNSTRUCTURED_KEYS || CORRAL_ANY_IMPORTED(IS_SYMMETRIC) || CORRAL_ELEMENT_COUNT > 0)

/* The hash of an algorithm that signs: all ones in a policy for any, and in no other wildcard. */
#define HASH_MASK ((psa_algorithm_t)0x000000ff)

psa_status_t corral_sign_refusal(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                 bool is_message)
{
    const psa_key_type_t type = attributes->type;

    if (HAS_SYMMETRIC && !is_message && !PSA_KEY_TYPE_IS_ASYMMETRIC(type)) {
        return PSA_ALG_IS_SIGN(alg) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_signs(type, alg) && (alg & HASH_MASK) != HASH_MASK &&
                   !(is_message && corral_signs_only_hashes(alg))
               ? PSA_ERROR_NOT_SUPPORTED
               : PSA_ERROR_INVALID_ARGUMENT;
}
