/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include <stdbool.h>
#include <stdint.h>

#include <corral/config.h>
#include <corral/dispatch/mac.h>
#include <corral/families.h>

/* Families that no algorithm of the build belongs to have no wildcards to look for. */
#define HAS_MAC CORRAL_ANY_ALG(PSA_ALG_IS_MAC)
#define HAS_AEAD CORRAL_ANY_ALG(PSA_ALG_IS_AEAD)
#define HAS_CCM_STAR (CORRAL_WANT_ALG_CCM || CORRAL_WANT_ALG_CCM_STAR_NO_TAG)
#define HAS_HASH_AND_SIGN CORRAL_ANY_ALG(PSA_ALG_IS_SIGN_HASH)
#define HAS_RSA CORRAL_ANY_ALG(PSA_ALG_IS_RSA_PKCS1V15_SIGN)
#define HAS_SAE CORRAL_ANY_ALG(IS_SAE)
#define HAS_AGREEMENT CORRAL_ANY_ALG(PSA_ALG_IS_STANDALONE_KEY_AGREEMENT)

#define IS_SAE(alg) (PSA_ALG_IS_WPA3_SAE(alg) || PSA_ALG_IS_WPA3_SAE_H2E(alg))

/* All verification usages: there randomised and deterministic signatures are the same. */
#define USAGE_VERIFY (PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)
/* Fields of MAC and AEAD algorithms (B.1.4, B.1.6): length, and "at least this length". */
#define MAC_LENGTH_MASK ((psa_algorithm_t)0x003f0000)
#define MAC_LENGTH_SHIFT 16
#define MAC_AT_LEAST ((psa_algorithm_t)0x00008000)
/* Bytes of the tag that every AEAD has unless it is shortened. */
#define TAG_LENGTH 16u
/* The hash of a hash-and-sign algorithm (B.1.8); all ones for PSA_ALG_ANY_HASH. */
#define HASH_MASK ((psa_algorithm_t)0x000000ff)
/* The key derivation that a combined key-agreement algorithm ends with (B.1.10). */
#define DERIVATION_MASK ((psa_algorithm_t)0x0000ffff)

/* Length in bytes of the MAC that `alg` computes; 0 for the algorithm's own, untruncated length. */
static unsigned mac_length(psa_algorithm_t alg)
{
    return (unsigned)((alg & MAC_LENGTH_MASK) >> MAC_LENGTH_SHIFT);
}

/* Whether the two agree in all but their length, and `alg` is one that operations run by. */
static bool is_same_but_for_length(psa_algorithm_t policy, psa_algorithm_t alg)
{
    return ((policy ^ alg) & ~(MAC_LENGTH_MASK | MAC_AT_LEAST)) == 0 && (alg & MAC_AT_LEAST) == 0;
}

/*
 * A bound above the full length permits nothing, and neither does 0, the encoding of 64 bytes
 * and more. The full length is known for all algorithms that the build computes; the
 * others are irrelevant.
 */
static bool mac_is_covered(psa_key_type_t type, psa_algorithm_t policy, psa_algorithm_t alg)
{
    const unsigned bound = mac_length(policy);
    const size_t full = corral_mac_length(alg & ~MAC_LENGTH_MASK, type);

    return is_same_but_for_length(policy, alg) && bound != 0 && (full == 0 || full >= bound) &&
           (mac_length(alg) == 0 || mac_length(alg) >= bound);
}

/* Tags of AEADs are said as lengths of MACs are, but always in full. */
static bool tag_is_covered(psa_algorithm_t policy, psa_algorithm_t alg)
{
    const unsigned bound = mac_length(policy);

    return is_same_but_for_length(policy, alg) && bound != 0 && bound <= TAG_LENGTH &&
           mac_length(alg) >= bound;
}

/* CCM* in any form: without tag, or CCM with whatever tag or bound on it. */
static bool is_ccm_star(psa_algorithm_t alg)
{
    return alg == PSA_ALG_CCM_STAR_NO_TAG ||
           ((alg ^ PSA_ALG_CCM) & ~(MAC_LENGTH_MASK | MAC_AT_LEAST)) == 0;
}

static bool signature_is_covered(psa_algorithm_t policy, psa_key_usage_t usage, psa_algorithm_t alg)
{
    const psa_algorithm_t hash = alg & HASH_MASK;
    psa_algorithm_t difference = policy ^ alg;

    if (CORRAL_HAS_ALIKE && (usage & ~USAGE_VERIFY) == 0) {
        difference = corral_difference_to_verify(policy, difference);
    }
    /* ANY_HASH stands for a hash, not for itself; for "no hash at all" only in RSA PKCS#1 v1.5. */
    return difference == 0 ||
           ((difference & ~HASH_MASK) == 0 && (policy & HASH_MASK) == HASH_MASK &&
            (hash != 0 || (HAS_RSA && alg == PSA_ALG_RSA_PKCS1V15_SIGN_RAW)) && hash != HASH_MASK);
}

/* Password tokens are derived with any hash by a policy that says so; ANY is for all of it. */
static bool sae_is_covered(psa_algorithm_t policy, psa_algorithm_t alg)
{
    if (policy == PSA_ALG_WPA3_SAE_H2E(PSA_ALG_ANY_HASH)) {
        return PSA_ALG_IS_WPA3_SAE_H2E(alg);
    }
    return policy == PSA_ALG_WPA3_SAE_ANY && IS_SAE(alg);
}

bool corral_policy_covers(const psa_key_attributes_t *attributes, psa_key_usage_t usage,
                          psa_algorithm_t alg)
{
    const psa_algorithm_t policy = attributes->algorithm;

    if (alg == PSA_ALG_NONE) {
        return true;
    }
    if (HAS_MAC && PSA_ALG_IS_MAC(policy)) {
        return (policy & MAC_AT_LEAST) != 0 && mac_is_covered(attributes->type, policy, alg);
    }
    if (HAS_AEAD && PSA_ALG_IS_AEAD(policy)) {
        return (policy & MAC_AT_LEAST) != 0 && tag_is_covered(policy, alg);
    }
    if (HAS_CCM_STAR && policy == PSA_ALG_CCM_STAR_ANY_TAG) {
        return is_ccm_star(alg);
    }
    if ((HAS_HASH_AND_SIGN || CORRAL_HAS_ALIKE) && PSA_ALG_IS_SIGN(policy)) {
        return signature_is_covered(policy, usage, alg);
    }
    if (HAS_SAE && sae_is_covered(policy, alg)) {
        return true;
    }
    if (HAS_AGREEMENT && PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(policy)) {
        return ((alg ^ policy) & ~DERIVATION_MASK) == 0;
    }
    return false;
}

/* In every use, not only in verification. */
static bool always_covers(psa_key_type_t type, psa_algorithm_t policy, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = type;
    attributes.algorithm = policy;
    return alg != PSA_ALG_NONE && corral_policy_covers(&attributes, PSA_KEY_USAGE_SIGN_HASH, alg);
}

/* Of two lower bounds on the length of one MAC or tag, the one that implies the other. */
static psa_algorithm_t greater_bound(psa_algorithm_t a, psa_algorithm_t b)
{
    /* 0 permits nothing, and is the greatest. */
    return mac_length(b) == 0 || (mac_length(a) != 0 && mac_length(a) < mac_length(b)) ? b : a;
}

psa_algorithm_t corral_policy_intersection(psa_key_type_t type, psa_algorithm_t a,
                                           psa_algorithm_t b)
{
    if (a == b || always_covers(type, b, a)) {
        return a;
    }
    if (always_covers(type, a, b)) {
        return b;
    }
    if (((HAS_MAC && PSA_ALG_IS_MAC(a)) || (HAS_AEAD && PSA_ALG_IS_AEAD(a))) &&
        (a & b & MAC_AT_LEAST) != 0 && ((a ^ b) & ~MAC_LENGTH_MASK) == 0) {
        return greater_bound(a, b);
    }
    return PSA_ALG_NONE;
}
