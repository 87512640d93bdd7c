/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/pake.h>
#include <corral/dispatch/serves.h>

#include "../keys/hold.h"
#include "../keys/policy.h"
#include "../pake/operation.h"
#include "aead_mode.h"
#include "mac_length.h"
#include "sign_refusal.h"

#define USAGE_MANAGEMENT (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_CACHE)
#define USAGE_CIPHER (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define USAGE_MESSAGE (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define USAGE_HASH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define USAGE_AGREEMENT (PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_DERIVE_PUBLIC)
#define USAGE_DERIVATION (PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_VERIFY_DERIVATION)
#define USAGE_WRAPPING (PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)
/* What needs the private half of a key pair. */
#define USAGE_PRIVATE                                                                              \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_DECRYPT |                \
     PSA_KEY_USAGE_DERIVE)

/* Flags that name a role in operations with `alg`; 0 if it is no algorithm of keys. */
static psa_key_usage_t roles_of(psa_algorithm_t alg)
{
    if (PSA_ALG_IS_CIPHER(alg) || PSA_ALG_IS_AEAD(alg) || PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg) ||
        PSA_ALG_IS_KEY_ENCAPSULATION(alg)) {
        return USAGE_CIPHER;
    }
    if (PSA_ALG_IS_MAC(alg)) {
        return USAGE_MESSAGE;
    }
    if (PSA_ALG_IS_SIGN(alg)) {
        return (PSA_ALG_IS_SIGN_MESSAGE(alg) ? USAGE_MESSAGE : 0) |
               (PSA_ALG_IS_SIGN_HASH(alg) ? USAGE_HASH : 0);
    }
    if (PSA_ALG_IS_KEY_AGREEMENT(alg)) {
        return USAGE_AGREEMENT;
    }
    if (PSA_ALG_IS_KEY_DERIVATION(alg) || PSA_ALG_IS_PAKE(alg)) {
        return USAGE_DERIVATION;
    }
    return PSA_ALG_IS_KEY_WRAP(alg) ? USAGE_WRAPPING : 0;
}

/* Whether a key of this type could ever play the role, in any implementation. */
static bool is_compatible(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                          psa_key_usage_t usage)
{
    const psa_key_type_t type = attributes->type;
    const bool needs_asymmetric = PSA_ALG_IS_SIGN(alg) || PSA_ALG_IS_KEY_AGREEMENT(alg) ||
                                  PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg) ||
                                  PSA_ALG_IS_KEY_ENCAPSULATION(alg);

    if (needs_asymmetric != PSA_KEY_TYPE_IS_ASYMMETRIC(type) && !PSA_ALG_IS_PAKE(alg)) {
        return false;
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(type) && (usage & USAGE_PRIVATE) != 0) {
        return false;
    }
    if (PSA_ALG_IS_SIGN(alg)) {
        return corral_signs(type, alg);
    }
    if (PSA_ALG_IS_PAKE(alg) && corral_pake_supported(alg)) {
        return corral_pake_takes_type(alg, attributes);
    }
    if (PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY && PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg)) {
        return PSA_KEY_TYPE_IS_RSA(type);
    }
    return true;
}

static psa_status_t check_operation(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                    psa_key_usage_t usage)
{
    if (PSA_ALG_IS_WILDCARD(alg) || (roles_of(alg) & usage) == 0 ||
        !is_compatible(attributes, alg, usage)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    /* The public role needs no permission: anybody may export the public key. */
    if (usage != PSA_KEY_USAGE_DERIVE_PUBLIC) {
        psa_status_t status = corral_policy_permits(attributes, usage, alg);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    /* The group of an exchange is said when it begins: here it is enough that there is one. */
    if (PSA_ALG_IS_PAKE(alg) && corral_pake_supported(alg) && usage == PSA_KEY_USAGE_DERIVE) {
        return corral_attributes_are_local(attributes) ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
    }
    if (!corral_dispatch_serves(attributes, usage, alg)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    /* Drivers serve a MAC or an AEAD with every length that it can have, and there are others. */
    if (CORRAL_ANY_ALG(PSA_ALG_IS_MAC) && PSA_ALG_IS_MAC(alg)) {
        size_t length;
        return corral_mac_wanted_length(alg, attributes, &length);
    }
    const bool is_aead = corral_aead_nonce_length(corral_aead_base(alg), attributes->type) != 0;
    return is_aead ? corral_aead_check(attributes->type, alg) : PSA_SUCCESS;
}

psa_status_t psa_check_key_usage(psa_key_id_t key, psa_algorithm_t alg, psa_key_usage_t usage)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold(key, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (usage == 0 || (usage & (usage - 1)) != 0) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else if ((usage & USAGE_MANAGEMENT) == 0) {
        status = check_operation(&slot->attributes, alg, usage);
    } else if (alg != PSA_ALG_NONE) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else {
        status = corral_policy_permits(&slot->attributes, usage, PSA_ALG_NONE);
    }
    corral_key_release(slot);
    return status;
}
