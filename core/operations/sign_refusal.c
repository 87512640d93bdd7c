/* SPDX-License-Identifier: Apache-2.0 */
#include "sign_refusal.h"

#include <corral/bindings.h>
#include <corral/config.h>

/* Keys of types and families that the build does not want cannot exist. */
#define IS_SYMMETRIC(type) (!PSA_KEY_TYPE_IS_ASYMMETRIC(type))
#define HAS_SYMMETRIC                                                                              \
    (CORRAL_HAS_UNSTRUCTURED_KEYS || CORRAL_ANY_IMPORTED(IS_SYMMETRIC) || CORRAL_ELEMENT_COUNT > 0)
#define HAS_EDWARDS (CORRAL_WANT_ECC_TWISTED_EDWARDS_255 || CORRAL_WANT_ECC_TWISTED_EDWARDS_448)
#define HAS_MONTGOMERY (CORRAL_WANT_ECC_MONTGOMERY_255 || CORRAL_WANT_ECC_MONTGOMERY_448)

static bool curve_signs(psa_ecc_family_t family, psa_algorithm_t alg)
{
    if (HAS_EDWARDS && family == PSA_ECC_FAMILY_TWISTED_EDWARDS) {
        return alg == PSA_ALG_PURE_EDDSA || alg == PSA_ALG_EDDSA_CTX || PSA_ALG_IS_HASH_EDDSA(alg);
    }
    return !(HAS_MONTGOMERY && family == PSA_ECC_FAMILY_MONTGOMERY) && PSA_ALG_IS_ECDSA(alg);
}

bool corral_signs(psa_key_type_t type, psa_algorithm_t alg)
{
    if (CORRAL_WANT_KEY_TYPE_ECC_PUBLIC_KEY && PSA_KEY_TYPE_IS_ECC(type)) {
        return curve_signs(PSA_KEY_TYPE_ECC_GET_FAMILY(type), alg);
    }
    if (CORRAL_WANT_KEY_TYPE_RSA_PUBLIC_KEY && PSA_KEY_TYPE_IS_RSA(type)) {
        return PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) || PSA_ALG_IS_RSA_PSS(alg);
    }
    if (CORRAL_WANT_KEY_TYPE_ML_DSA_PUBLIC_KEY && PSA_KEY_TYPE_IS_ML_DSA(type)) {
        return PSA_ALG_IS_ML_DSA(alg) || PSA_ALG_IS_HASH_ML_DSA(alg);
    }
    if (CORRAL_WANT_KEY_TYPE_SLH_DSA_PUBLIC_KEY && PSA_KEY_TYPE_IS_SLH_DSA(type)) {
        return PSA_ALG_IS_SLH_DSA(alg) || PSA_ALG_IS_HASH_SLH_DSA(alg);
    }
    return (CORRAL_WANT_KEY_TYPE_LMS_PUBLIC_KEY && type == PSA_KEY_TYPE_LMS_PUBLIC_KEY &&
            alg == PSA_ALG_LMS) ||
           (CORRAL_WANT_KEY_TYPE_HSS_PUBLIC_KEY && type == PSA_KEY_TYPE_HSS_PUBLIC_KEY &&
            alg == PSA_ALG_HSS) ||
           (CORRAL_WANT_KEY_TYPE_XMSS_PUBLIC_KEY && type == PSA_KEY_TYPE_XMSS_PUBLIC_KEY &&
            alg == PSA_ALG_XMSS) ||
           (CORRAL_WANT_KEY_TYPE_XMSS_MT_PUBLIC_KEY && type == PSA_KEY_TYPE_XMSS_MT_PUBLIC_KEY &&
            alg == PSA_ALG_XMSS_MT);
}

/* The hash of an algorithm that signs: all ones in a policy for any, and in no other wildcard. */
#define HASH_MASK ((psa_algorithm_t)0x000000ff)

/* Algorithms that sign hashes and no messages. */
static bool signs_hashes_alone(psa_algorithm_t alg)
{
    return alg == PSA_ALG_ECDSA_ANY ||
           (CORRAL_WANT_KEY_TYPE_RSA_PUBLIC_KEY && alg == PSA_ALG_RSA_PKCS1V15_SIGN_RAW);
}

psa_status_t corral_sign_refusal(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                 bool is_message)
{
    const psa_key_type_t type = attributes->type;

    if (HAS_SYMMETRIC && !is_message && !PSA_KEY_TYPE_IS_ASYMMETRIC(type)) {
        return PSA_ALG_IS_SIGN(alg) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_signs(type, alg) && (alg & HASH_MASK) != HASH_MASK &&
                   !(is_message && signs_hashes_alone(alg))
               ? PSA_ERROR_NOT_SUPPORTED
               : PSA_ERROR_INVALID_ARGUMENT;
}
