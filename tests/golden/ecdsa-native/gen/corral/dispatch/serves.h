/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that a key supports. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.serves of the usages of keys.
 */
#ifndef CORRAL_DISPATCH_SERVES_H
#define CORRAL_DISPATCH_SERVES_H

#include <stdbool.h>

#include <psa/crypto.h>

static inline bool corral_local_serves(const psa_key_attributes_t *attributes,
                                       psa_key_usage_t usage, psa_algorithm_t alg)
{
    switch (usage) {
    case PSA_KEY_USAGE_SIGN_MESSAGE:
        if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) &&
            attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_VERIFY_MESSAGE:
        if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) ||
            alg == PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_SIGN_HASH:
        if (PSA_ALG_IS_RANDOMIZED_ECDSA(alg) &&
            attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_VERIFY_HASH:
        if (PSA_ALG_IS_ECDSA(alg) && alg != PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)) {
            return true;
        }
        return false;
    default:
        return false;
    }
}

static inline bool corral_atecc608_serves(const psa_key_attributes_t *attributes,
                                          psa_key_usage_t usage, psa_algorithm_t alg)
{
    switch (usage) {
    case PSA_KEY_USAGE_SIGN_MESSAGE:
        if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) &&
            attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_VERIFY_MESSAGE:
        if (alg == PSA_ALG_ECDSA(PSA_ALG_SHA_256) ||
            alg == PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_SIGN_HASH:
        if (PSA_ALG_IS_RANDOMIZED_ECDSA(alg) && alg != PSA_ALG_ECDSA_ANY &&
            attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)) {
            return true;
        }
        return false;
    case PSA_KEY_USAGE_VERIFY_HASH:
        if (PSA_ALG_IS_ECDSA(alg) && alg != PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)) {
            return true;
        }
        return false;
    default:
        return false;
    }
}

/*
 * Whether this build supports the operation that a single usage flag stands for, with such a key
 * and a fully specified algorithm.
 */
static inline bool corral_dispatch_serves(const psa_key_attributes_t *attributes,
                                          psa_key_usage_t usage, psa_algorithm_t alg)
{
    /* As the dispatch of operations sees them: MACs in full, padding left to the core. */
    if (PSA_ALG_IS_MAC(alg)) {
        alg = PSA_ALG_FULL_LENGTH_MAC(alg);
    } else if (CORRAL_WANT_ALG_CBC_PKCS7 && alg == PSA_ALG_CBC_PKCS7) {
        alg = PSA_ALG_CBC_NO_PADDING;
    } else if (PSA_ALG_IS_KEY_AGREEMENT(alg)) {
        alg = PSA_ALG_KEY_AGREEMENT_GET_BASE(alg);
    }
    if (PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime) != PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return corral_atecc608_serves(attributes, usage, alg);
    }
    return corral_local_serves(attributes, usage, alg);
}

#endif
