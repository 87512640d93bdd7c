/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>
#include <corral/sae.h>

#include "operation.h"

/*
 * The steps of WPA3-SAE are no chain: sides commit in any order, and confirm as often as frames get
 * lost (PSA Crypto 1.5, 10.13.12). These bits say what was done; the first is that of both sides.
 */
#define COMMITTED 1u
#define SALTED 2u  /* received only */
#define COUNTED 4u /* a counter waits for the confirmation that it goes into */
#define CONFIRMED 8u

static psa_algorithm_t hash_of_group(psa_pake_primitive_t primitive)
{
    return corral_sae_hash(PSA_PAKE_PRIMITIVE_GET_TYPE(primitive) == PSA_PAKE_PRIMITIVE_TYPE_DH,
                           PSA_PAKE_PRIMITIVE_GET_BITS(primitive));
}

/* SAE with looping uses SHA-256 in each group, and a key of only one length. */
static bool is_looping(psa_algorithm_t alg)
{
    return alg == PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_256);
}

psa_status_t corral_sae_check_primitive(psa_algorithm_t alg, psa_pake_primitive_t primitive)
{
    const psa_pake_primitive_type_t type = PSA_PAKE_PRIMITIVE_GET_TYPE(primitive);
    const psa_pake_family_t family = PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive);
    const bool is_curve =
        type == PSA_PAKE_PRIMITIVE_TYPE_ECC &&
        PSA_KEY_TYPE_WPA3_SAE_ECC_GET_FAMILY(PSA_KEY_TYPE_WPA3_SAE_ECC(family)) == family;
    const bool is_field =
        type == PSA_PAKE_PRIMITIVE_TYPE_DH &&
        PSA_KEY_TYPE_WPA3_SAE_DH_GET_FAMILY(PSA_KEY_TYPE_WPA3_SAE_DH(family)) == family;

    if (!is_curve && !is_field) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return is_looping(alg) || PSA_ALG_GET_HASH(alg) == hash_of_group(primitive)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

bool corral_sae_takes_type(psa_algorithm_t alg, const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = attributes->type;

    if (type == PSA_KEY_TYPE_PASSWORD) {
        return is_looping(alg);
    }
    return (PSA_KEY_TYPE_IS_WPA3_SAE_ECC(type) || PSA_KEY_TYPE_IS_WPA3_SAE_DH(type)) &&
           PSA_ALG_GET_HASH(alg) == corral_sae_hash(corral_sae_is_field(type), attributes->bits);
}

bool corral_sae_takes_key(psa_algorithm_t alg, psa_pake_primitive_t primitive,
                          const psa_key_attributes_t *attributes)
{
    const psa_pake_family_t family = PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive);
    const psa_key_type_t token =
        PSA_PAKE_PRIMITIVE_GET_TYPE(primitive) == PSA_PAKE_PRIMITIVE_TYPE_ECC
            ? PSA_KEY_TYPE_WPA3_SAE_ECC(family)
            : PSA_KEY_TYPE_WPA3_SAE_DH(family);

    return corral_sae_takes_type(alg, attributes) &&
           (attributes->type == PSA_KEY_TYPE_PASSWORD ||
            (attributes->type == token &&
             attributes->bits == PSA_PAKE_PRIMITIVE_GET_BITS(primitive)));
}

static bool was(uint8_t side, unsigned what)
{
    return (side & what) != 0;
}

/* Whether an input can be taken now. */
static bool may_receive(const psa_pake_operation_t *operation, psa_pake_step_t step)
{
    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        return !was(operation->received, COMMITTED);
    case PSA_PAKE_STEP_SALT:
        return was(operation->sent, COMMITTED) && was(operation->received, COMMITTED) &&
               !was(operation->received, SALTED);
    default:
        return was(operation->received, SALTED);
    }
}

/* Whether an output can be given now. */
static bool may_send(const psa_pake_operation_t *operation, psa_pake_step_t step)
{
    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        return !was(operation->sent, COMMITTED);
    case PSA_PAKE_STEP_CONFIRM:
        return was(operation->received, COUNTED);
    default:
        return was(operation->received, CONFIRMED);
    }
}

static bool is_step(psa_pake_step_t step, bool is_output)
{
    return step == PSA_PAKE_STEP_COMMIT || step == PSA_PAKE_STEP_CONFIRM ||
           (is_output ? step == PSA_PAKE_STEP_KEY_ID
                      : step == PSA_PAKE_STEP_SALT || step == PSA_PAKE_STEP_CONFIRM_COUNT);
}

psa_status_t corral_sae_find_step(const psa_pake_operation_t *operation, psa_pake_step_t step,
                                  bool is_output, psa_crypto_driver_pake_step_t *found)
{
    if (!is_step(step, is_output)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_pake_was_given(operation, CORRAL_PAKE_USER) ||
        !corral_pake_was_given(operation, CORRAL_PAKE_PEER) ||
        !(is_output ? may_send(operation, step) : may_receive(operation, step))) {
        return PSA_ERROR_BAD_STATE;
    }
    *found = step;
    return PSA_SUCCESS;
}

static unsigned bit_of(psa_pake_step_t step)
{
    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        return COMMITTED;
    case PSA_PAKE_STEP_SALT:
        return SALTED;
    case PSA_PAKE_STEP_CONFIRM_COUNT:
        return COUNTED;
    case PSA_PAKE_STEP_CONFIRM:
        return CONFIRMED;
    default:
        return 0;
    }
}

void corral_sae_step_done(psa_pake_operation_t *operation, psa_pake_step_t step, bool is_output)
{
    if (!is_output) {
        operation->received = (uint8_t)(operation->received | bit_of(step));
        return;
    }
    operation->sent = (uint8_t)(operation->sent | bit_of(step));
    if (step == PSA_PAKE_STEP_CONFIRM) {
        /* No two confirmations with one counter. */
        operation->received = (uint8_t)(operation->received & ~COUNTED);
    }
}

bool corral_sae_is_confirmed(const psa_pake_operation_t *operation)
{
    return was(operation->received, CONFIRMED);
}

size_t corral_sae_output_size(const psa_pake_operation_t *operation, psa_pake_step_t step)
{
    const psa_pake_primitive_t primitive = operation->primitive;
    const size_t scalar = (PSA_PAKE_PRIMITIVE_GET_BITS(primitive) + 7) / 8;

    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        return (PSA_PAKE_PRIMITIVE_GET_TYPE(primitive) == PSA_PAKE_PRIMITIVE_TYPE_ECC ? 3 : 2) *
               scalar;
    case PSA_PAKE_STEP_CONFIRM:
        return CORRAL_SAE_COUNT_SIZE + corral_hash_length(PSA_ALG_GET_HASH(operation->alg));
    default:
        return CORRAL_SAE_PMKID_SIZE;
    }
}
