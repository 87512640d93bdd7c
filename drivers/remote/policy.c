/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include <psa/crypto.h>

/* Uses for which nothing is computed with a key. */
#define OTHER_USES (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_CACHE)

/* The algorithm of the key there, which the core derives from its own. */
static psa_algorithm_t algorithm_there(psa_algorithm_t alg)
{
    if (PSA_ALG_IS_MAC(alg)) {
        return PSA_ALG_FULL_LENGTH_MAC(alg);
    }
    if (alg == PSA_ALG_ECIES_SEC1) {
        return PSA_ALG_ECDH;
    }
    if (PSA_ALG_IS_KEY_AGREEMENT(alg)) {
        return PSA_ALG_KEY_AGREEMENT_GET_BASE(alg);
    }
    if (PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg)) {
        return PSA_ALG_HMAC(PSA_ALG_GET_HASH(alg));
    }
    if (alg == PSA_ALG_SP800_108_COUNTER_CMAC) {
        return PSA_ALG_CMAC;
    }
    if (alg == PSA_ALG_CBC_PKCS7) {
        return PSA_ALG_CBC_NO_PADDING;
    }
    return alg;
}

/*
 * The usage of the key there. A MAC to compare with is computed here, too; operations
 * with public keys are done in memory.
 */
static psa_key_usage_t usage_there(const psa_key_attributes_t *attributes, psa_algorithm_t alg)
{
    const psa_key_usage_t of_ciphers = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
    const psa_key_usage_t of_signing = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH;
    const psa_key_usage_t usage = attributes->usage;

    if (alg == PSA_ALG_NONE || (usage & ~OTHER_USES) == 0) {
        return 0;
    }
    if (PSA_ALG_IS_MAC(alg)) {
        return PSA_KEY_USAGE_SIGN_MESSAGE;
    }
    if (PSA_ALG_IS_KEY_AGREEMENT(alg)) {
        return PSA_KEY_USAGE_DERIVE;
    }
    if (PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg)) {
        return usage & PSA_KEY_USAGE_DECRYPT;
    }
    if (PSA_ALG_IS_SIGN_HASH(alg)) {
        return (usage & of_signing) != 0 ? PSA_KEY_USAGE_SIGN_HASH : 0;
    }
    return usage & (of_ciphers | of_signing);
}

psa_key_attributes_t remote_attributes(const psa_key_attributes_t *attributes)
{
    const psa_algorithm_t alg = algorithm_there(attributes->algorithm);
    psa_key_attributes_t there = PSA_KEY_ATTRIBUTES_INIT;

    there.type = attributes->type;
    there.bits = attributes->bits;
    there.algorithm = alg;
    there.usage = usage_there(attributes, alg);
    return there;
}
