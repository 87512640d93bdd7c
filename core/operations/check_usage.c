/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>
#include <corral/dispatch/pake.h>
#include <corral/dispatch/serves.h>
#include <corral/families.h>

#include "../keys/hold.h"
#include "../keys/policy.h"
#include "../pake/operation.h"
#include "aead_mode.h"
#include "agreement.h"
#include "asymmetric_encryption.h"
#include "hash_sizes.h"
#include "mac_length.h"
#include "sign_refusal.h"

#define USAGE_MANAGEMENT (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_CACHE)
#define USAGE_CIPHER (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define USAGE_MESSAGE (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE)
#define USAGE_HASH (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH)
#define USAGE_AGREEMENT (PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_DERIVE_PUBLIC)
#define USAGE_DERIVATION (PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_VERIFY_DERIVATION)
#define USAGE_WRAPPING (PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)
/* Uses that need the private half of a key pair. */
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

/*
 * Whether the hash of a signature is none that there is (PSA_ERROR_INVALID_ARGUMENT), or one that
 * the build would have to compute and does not (PSA_ERROR_NOT_SUPPORTED); other hashes may have
 * been computed elsewhere.
 */
static psa_status_t check_hash(psa_key_usage_t usage, psa_algorithm_t alg)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);

    if ((usage & USAGE_HASH) == 0 || hash == PSA_ALG_NONE) {
        return PSA_SUCCESS;
    }
    if (!corral_hash_length_fits(alg, PSA_HASH_LENGTH(hash))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return corral_signature_computes_hash(alg, usage) && corral_hash_length(hash) == 0
               ? PSA_ERROR_NOT_SUPPORTED
               : PSA_SUCCESS;
}

/* The answer of the functions that sign and verify for a key, without a hash or a message. */
static psa_status_t check_signature(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                    psa_key_usage_t usage)
{
    psa_status_t status = check_hash(usage, alg);

    if (status == PSA_SUCCESS && !corral_dispatch_serves(attributes, usage, alg)) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    return corral_sign_status(status, attributes, alg, (usage & USAGE_MESSAGE) != 0);
}

/* Algorithms of key pairs and public keys; those of key exchange take others as well. */
static bool is_asymmetric(psa_algorithm_t alg)
{
    return PSA_ALG_IS_SIGN(alg) || PSA_ALG_IS_KEY_AGREEMENT(alg) ||
           PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg) || PSA_ALG_IS_KEY_ENCAPSULATION(alg);
}

/* The answer of the role's functions for a key, before they read other arguments. */
static psa_status_t check_key(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                              psa_key_usage_t usage)
{
    const psa_key_type_t type = attributes->type;
    size_t length;

    if (is_asymmetric(alg) && (usage & USAGE_PRIVATE) != 0 && !PSA_KEY_TYPE_IS_KEY_PAIR(type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (PSA_ALG_IS_SIGN(alg)) {
        return check_signature(attributes, alg, usage);
    }
    if (CORRAL_ANY_ALG(PSA_ALG_IS_MAC) && PSA_ALG_IS_MAC(alg)) {
        const psa_status_t status = corral_mac_wanted_length(alg, attributes);
        return status < 0 ? status : PSA_SUCCESS;
    }
    if (CORRAL_ANY_ALG(PSA_ALG_IS_AEAD) && PSA_ALG_IS_AEAD(alg)) {
        return corral_aead_check(type, alg);
    }
    if (CORRAL_ANY_ALG(PSA_ALG_IS_ASYMMETRIC_ENCRYPTION) && PSA_ALG_IS_ASYMMETRIC_ENCRYPTION(alg)) {
        return corral_asymmetric_room(attributes, alg, &length);
    }
    if (PSA_ALG_IS_PAKE(alg)) {
        return !corral_pake_supported(alg) || corral_pake_takes_type(alg, attributes)
                   ? PSA_SUCCESS
                   : PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_ALG_IS_CIPHER(alg) || PSA_KEY_TYPE_IS_ASYMMETRIC(type) == is_asymmetric(alg)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

/* Whether keys are derived by `alg`, from a secret or from the result of an agreement. */
static bool derives(psa_algorithm_t alg)
{
    return PSA_ALG_IS_KEY_DERIVATION(alg) ||
           (PSA_ALG_IS_KEY_AGREEMENT(alg) && !PSA_ALG_IS_STANDALONE_KEY_AGREEMENT(alg));
}

/* The answer of the role's functions for keys whose policy permits it. */
static psa_status_t check_support(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                  psa_key_usage_t usage)
{
    const bool is_local = corral_attributes_are_local(attributes);

    if (derives(alg) && !corral_derives(alg)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = check_key(attributes, alg, usage);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* The group of an exchange is said when it begins: here it is enough that there is one. */
    if (PSA_ALG_IS_PAKE(alg) && corral_pake_supported(alg) && usage == PSA_KEY_USAGE_DERIVE) {
        return is_local ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
    }
    if (corral_dispatch_serves(attributes, usage, alg)) {
        return PSA_SUCCESS;
    }
    /* A supported derivation refuses in memory only what is no key for any of its inputs. */
    return PSA_ALG_IS_KEY_DERIVATION(alg) && is_local ? PSA_ERROR_INVALID_ARGUMENT
                                                      : PSA_ERROR_NOT_SUPPORTED;
}

static psa_status_t check_operation(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                    psa_key_usage_t usage)
{
    if (PSA_ALG_IS_WILDCARD(alg) || (roles_of(alg) & usage) == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = check_support(attributes, alg, usage);
    /* The public role needs no permission: every caller may export the public key. */
    if (status == PSA_ERROR_INVALID_ARGUMENT || usage == PSA_KEY_USAGE_DERIVE_PUBLIC ||
        corral_policy_permits(attributes, usage, alg) == PSA_SUCCESS) {
        return status;
    }
    return PSA_ERROR_NOT_PERMITTED;
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
