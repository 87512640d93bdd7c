/* SPDX-License-Identifier: Apache-2.0 */
/* The algebra of policies: a copy permits the intersection of both policies.
 */
#include "../../core/keys/policy.h"
#include "../harness/harness.h"

#define HMAC_256 PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define HMAC_512 PSA_ALG_HMAC(PSA_ALG_SHA_512)
#define ALL_FLAGS ((psa_key_usage_t)0xffffffff)

static const psa_algorithm_t policies[] = {
    HMAC_256,
    HMAC_512,
    PSA_ALG_CMAC,
    PSA_ALG_TRUNCATED_MAC(HMAC_256, 4),
    PSA_ALG_TRUNCATED_MAC(HMAC_256, 16),
    PSA_ALG_TRUNCATED_MAC(HMAC_256, 20),
    PSA_ALG_TRUNCATED_MAC(HMAC_512, 16),
    PSA_ALG_TRUNCATED_MAC(PSA_ALG_CMAC, 8),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 4),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 16),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 18),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_512, 16),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(PSA_ALG_CMAC, 8),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 32),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 33),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 64),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(HMAC_256, 65),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(PSA_ALG_CMAC, 17),
    PSA_ALG_TRUNCATED_MAC(HMAC_256, 40),
    PSA_ALG_ECDSA(PSA_ALG_ANY_HASH),
    PSA_ALG_ECDSA(PSA_ALG_SHA_256),
    PSA_ALG_ECDSA(PSA_ALG_SHA_512),
    PSA_ALG_ECDSA_ANY,
    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_ANY_HASH),
    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256),
    PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH),
    PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256),
    PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH),
    PSA_ALG_RSA_PSS(PSA_ALG_SHA_256),
    PSA_ALG_PURE_EDDSA,
    PSA_ALG_ED25519PH,
    PSA_ALG_ECDH,
    PSA_ALG_FFDH,
    PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_SHA_256)),
    PSA_ALG_KEY_AGREEMENT(PSA_ALG_FFDH, PSA_ALG_HKDF(PSA_ALG_SHA_256)),
    PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_TLS12_PRF(PSA_ALG_SHA_256)),
    PSA_ALG_HKDF(PSA_ALG_SHA_256),
    PSA_ALG_CTR,
    PSA_ALG_CBC_NO_PADDING,
    PSA_ALG_CBC_PKCS7,
    PSA_ALG_GCM,
    PSA_ALG_CCM,
    PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8),
    PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 20),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 1),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 8),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 16),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 17),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 64),
    PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 68),
    PSA_ALG_SHA_256,
};
#define COUNT (sizeof policies / sizeof policies[0])

/* The type of key for a policy: of MACs and AEADs, those that have one. */
static psa_key_type_t type_for(psa_algorithm_t policy)
{
    return PSA_ALG_IS_HMAC(PSA_ALG_FULL_LENGTH_MAC(policy)) ? PSA_KEY_TYPE_HMAC : PSA_KEY_TYPE_AES;
}

static psa_algorithm_t intersection(psa_algorithm_t a, psa_algorithm_t b)
{
    return corral_policy_intersection(type_for(a), a, b);
}

static bool permits(psa_algorithm_t policy, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = type_for(policy);
    attributes.usage = ALL_FLAGS;
    attributes.algorithm = policy;
    /* A signing flag: verification has a wider rule of its own. */
    return corral_policy_permits(&attributes, PSA_KEY_USAGE_SIGN_HASH, alg) == PSA_SUCCESS;
}

static void intersection__any_two__commutes(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            test_context("pair", i * 100 + j);
            CHECK(intersection(policies[i], policies[j]) == intersection(policies[j], policies[i]));
        }
    }
}

static void intersection__with_itself__is_itself(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        test_context("policy", i);
        CHECK(intersection(policies[i], policies[i]) == policies[i]);
    }
}

static void intersection__any_two__permits_what_both_do(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            const psa_algorithm_t both = intersection(policies[i], policies[j]);
            for (size_t k = 0; k < COUNT; k++) {
                if (PSA_ALG_IS_WILDCARD(policies[k])) {
                    continue; /* no operation uses one */
                }
                const bool wanted =
                    permits(policies[i], policies[k]) && permits(policies[j], policies[k]);
                const bool got = both != PSA_ALG_NONE && permits(both, policies[k]);
                test_context("triple", i * 10000 + j * 100 + k);
                CHECK(got == wanted);
            }
        }
    }
}

static void permits__itself__always(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        test_context("policy", i);
        CHECK(permits(policies[i], policies[i]));
    }
}

/* The bound of an at-least policy; 0 means 64 bytes or more. */
static size_t bound_of(psa_algorithm_t policy)
{
    const size_t bound = policy >> 16 & 0x3f;

    return bound != 0 ? bound : 64;
}

/* The reference: which of these policies permit which algorithms, by the words of the standard. */
static bool expected(psa_algorithm_t policy, psa_algorithm_t alg)
{
    if (policy == alg) {
        return true;
    }
    if (PSA_ALG_IS_MAC(policy) && PSA_ALG_IS_MAC(alg) && PSA_ALG_IS_WILDCARD(policy) &&
        PSA_ALG_FULL_LENGTH_MAC(policy) == PSA_ALG_FULL_LENGTH_MAC(alg)) {
        const size_t bound = bound_of(policy);
        const size_t full = PSA_MAC_LENGTH(type_for(alg), 0, PSA_ALG_FULL_LENGTH_MAC(alg));
        return bound <= full && PSA_MAC_LENGTH(type_for(alg), 0, alg) >= bound;
    }
    if (PSA_ALG_IS_AEAD(policy) && PSA_ALG_IS_AEAD(alg) && PSA_ALG_IS_WILDCARD(policy) &&
        PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(policy) == PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg)) {
        const size_t bound = bound_of(policy);
        return bound <= 16 && (alg >> 16 & 0x3f) >= bound;
    }
    if (PSA_ALG_IS_SIGN_HASH(policy) && PSA_ALG_IS_SIGN_HASH(alg) && PSA_ALG_IS_WILDCARD(policy)) {
        const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);
        return hash != 0 &&
               ((policy == PSA_ALG_ECDSA(PSA_ALG_ANY_HASH) && alg == PSA_ALG_ECDSA(hash)) ||
                (policy == PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_ANY_HASH) &&
                 alg == PSA_ALG_DETERMINISTIC_ECDSA(hash)) ||
                (policy == PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH) &&
                 alg == PSA_ALG_RSA_PKCS1V15_SIGN(hash)) ||
                (policy == PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH) && alg == PSA_ALG_RSA_PSS(hash)));
    }
    return PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(policy) && PSA_ALG_IS_KEY_AGREEMENT(alg) &&
           PSA_ALG_KEY_AGREEMENT_GET_BASE(alg) == policy;
}

static void permits__every_pair__as_the_standard_says(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++) {
            test_context("pair", i * 100 + j);
            if (i == j || !PSA_ALG_IS_WILDCARD(policies[j])) {
                CHECK(permits(policies[i], policies[j]) == expected(policies[i], policies[j]));
            }
        }
    }
}

static void permits__verification__takes_both_kinds_of_ecdsa(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const psa_key_usage_t verifying[] = {PSA_KEY_USAGE_VERIFY_HASH, PSA_KEY_USAGE_VERIFY_MESSAGE};
    const psa_key_usage_t others[] = {PSA_KEY_USAGE_SIGN_HASH, PSA_KEY_USAGE_SIGN_MESSAGE};

    attributes.usage = ALL_FLAGS;
    attributes.algorithm = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    for (size_t i = 0; i < 2; i++) {
        CHECK(corral_policy_permits(&attributes, verifying[i],
                                    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) == PSA_SUCCESS);
        CHECK(corral_policy_permits(&attributes, verifying[i],
                                    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_512)) ==
              PSA_ERROR_NOT_PERMITTED);
        CHECK(corral_policy_permits(&attributes, others[i],
                                    PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)) ==
              PSA_ERROR_NOT_PERMITTED);
    }
}

static void permits__flags__all_are_needed(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.usage = PSA_KEY_USAGE_ENCRYPT;
    attributes.algorithm = PSA_ALG_CTR;
    CHECK(corral_policy_permits(&attributes, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_CTR) == PSA_SUCCESS);
    CHECK(corral_policy_permits(&attributes, PSA_KEY_USAGE_DECRYPT, PSA_ALG_CTR) ==
          PSA_ERROR_NOT_PERMITTED);
    CHECK(corral_policy_permits(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT,
                                PSA_ALG_CTR) == PSA_ERROR_NOT_PERMITTED);
    CHECK(corral_policy_permits(&attributes, PSA_KEY_USAGE_ENCRYPT, PSA_ALG_NONE) == PSA_SUCCESS);
}

static const struct test_case tests[] = {
    TEST(intersection__any_two__commutes),
    TEST(intersection__with_itself__is_itself),
    TEST(intersection__any_two__permits_what_both_do),
    TEST(permits__itself__always),
    TEST(permits__every_pair__as_the_standard_says),
    TEST(permits__verification__takes_both_kinds_of_ecdsa),
    TEST(permits__flags__all_are_needed),
};

TEST_SUITE(policy, tests);
