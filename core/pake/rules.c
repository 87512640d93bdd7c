/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/pake.h>
#include <corral/driver.h>
#include <corral/sae.h>

#include "../common/multipart.h"
#include "../keys/hold.h"
#include "operation.h"

static inline bool is_spake2p(psa_algorithm_t alg)
{
    return CORRAL_ANY_ALG(PSA_ALG_IS_SPAKE2P) && PSA_ALG_IS_SPAKE2P(alg);
}

/* Whether a key fits a role: a prover needs its secret half, a verifier may have it. */
static inline bool takes_role(psa_algorithm_t alg, psa_pake_role_t role,
                              const psa_key_attributes_t *attributes)
{
    return !is_spake2p(alg) || role != PSA_PAKE_ROLE_CLIENT ||
           PSA_KEY_TYPE_IS_KEY_PAIR(attributes->type);
}

/*
 * J-PAKE has no confirmation; SPAKE2+ forbids to use a key before it is confirmed (RFC 9383, 3.4),
 * and so does WPA3-SAE. All other values are none. CORRAL_LENIENT_JPAKE: J-PAKE accepts
 * the default of a suite, too.
 */
static bool takes_confirmation(psa_algorithm_t alg, uint32_t key_confirmation)
{
    return key_confirmation ==
               (corral_pake_is_jpake(alg) ? PSA_PAKE_UNCONFIRMED_KEY : PSA_PAKE_CONFIRMED_KEY) ||
           (CORRAL_LENIENT_JPAKE && key_confirmation == PSA_PAKE_CONFIRMED_KEY);
}

/* Unknown values are not supported; known values that do not fit the algorithm are invalid.
 */
static psa_status_t check_primitive(psa_algorithm_t alg, psa_pake_primitive_t primitive)
{
    const psa_pake_primitive_type_t type = PSA_PAKE_PRIMITIVE_GET_TYPE(primitive);
    const psa_pake_family_t family = PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive);

    if (corral_pake_is_sae(alg)) {
        return corral_sae_check_primitive(alg, primitive);
    }
    /* A value that does not fit the type of a key is no curve's family. */
    if (type == PSA_PAKE_PRIMITIVE_TYPE_ECC &&
        PSA_KEY_TYPE_ECC_GET_FAMILY(PSA_KEY_TYPE_ECC_PUBLIC_KEY(family)) == family) {
        const bool is_for_matter = primitive == PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC,
                                                                   PSA_ECC_FAMILY_SECP_R1, 256);

        return alg != PSA_ALG_SPAKE2P_MATTER || is_for_matter ? PSA_SUCCESS
                                                              : PSA_ERROR_INVALID_ARGUMENT;
    }
    return type == PSA_PAKE_PRIMITIVE_TYPE_DH && is_spake2p(alg) ? PSA_ERROR_INVALID_ARGUMENT
                                                                 : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t corral_pake_check_algorithm(psa_algorithm_t alg)
{
    return PSA_ALG_IS_PAKE(alg) && !PSA_ALG_IS_WILDCARD(alg) && PSA_ALG_GET_HASH(alg) != 0
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t corral_pake_check_suite(const psa_pake_cipher_suite_t *cipher_suite,
                                     const psa_key_attributes_t *attributes)
{
    const psa_algorithm_t alg = cipher_suite->algorithm;
    const bool is_known = corral_pake_is_jpake(alg) || is_spake2p(alg) || corral_pake_is_sae(alg);

    if (is_known && !corral_pake_takes_type(alg, attributes)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_pake_supported(alg)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (!takes_confirmation(alg, cipher_suite->key_confirmation)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return check_primitive(alg, cipher_suite->primitive);
}

bool corral_pake_takes_type(psa_algorithm_t alg, const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = attributes->type;

    if (corral_pake_is_sae(alg)) {
        return corral_sae_takes_type(alg, attributes);
    }
    return corral_pake_is_jpake(alg)
               ? type == PSA_KEY_TYPE_PASSWORD || type == PSA_KEY_TYPE_PASSWORD_HASH
               : PSA_KEY_TYPE_IS_SPAKE2P(type);
}

bool corral_pake_takes_key(psa_algorithm_t alg, psa_pake_primitive_t primitive,
                           const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = attributes->type;

    if (corral_pake_is_sae(alg)) {
        return corral_sae_takes_key(alg, primitive, attributes);
    }
    return corral_pake_takes_type(alg, attributes) &&
           (corral_pake_is_jpake(alg) ||
            (PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(type) == PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive) &&
             attributes->bits == PSA_PAKE_PRIMITIVE_GET_BITS(primitive)));
}

static psa_status_t check_prover(const psa_pake_operation_t *operation)
{
    struct corral_key *key;

    psa_status_t status = corral_key_hold_again(&operation->key, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const bool is_fit = takes_role(operation->alg, PSA_PAKE_ROLE_CLIENT, &key->attributes);
    corral_key_release(key);
    return is_fit ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t corral_pake_check_role(const psa_pake_operation_t *operation, psa_pake_role_t role)
{
    if (!is_spake2p(operation->alg)) {
        return role == PSA_PAKE_ROLE_NONE ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
    }
    if (role == PSA_PAKE_ROLE_CLIENT) {
        return check_prover(operation);
    }
    return role == PSA_PAKE_ROLE_SERVER ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

/*
 * J-PAKE proves who one is, so each side has a name, and not the other's. Those of WPA3-SAE are MAC
 * addresses.
 */
static psa_status_t check_name(const psa_pake_operation_t *operation, unsigned what,
                               const uint8_t *data, size_t length)
{
    const unsigned other = what == CORRAL_PAKE_USER ? CORRAL_PAKE_PEER : CORRAL_PAKE_USER;

    if ((corral_pake_is_sae(operation->alg) ? length != CORRAL_SAE_MAC_SIZE : length == 0) ||
        (corral_pake_was_given(operation, other) && operation->length[other] == length &&
         corral_equal(operation->identities + operation->offset[other], data, length))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_SUCCESS;
}

psa_status_t corral_pake_check_identity(const psa_pake_operation_t *operation, unsigned what,
                                        const uint8_t *data, size_t length)
{
    if (is_spake2p(operation->alg)) {
        return PSA_SUCCESS;
    }
    if (what == CORRAL_PAKE_CONTEXT) {
        return PSA_ERROR_BAD_STATE;
    }
    return check_name(operation, what, data, length);
}
