/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/key_derivation.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/owner.h"
#include "../keys/hold.h"
#include "../keys/policy.h"
#include "../operations/agreement.h"
#include "operation.h"

/* Shared secret of EC J-PAKE on P-256: an uncompressed point. */
#define POINT_SIZE 65u
#define UNCOMPRESSED 0x04

static bool is_secret(psa_key_derivation_step_t step)
{
    return step == PSA_KEY_DERIVATION_INPUT_SECRET || step == PSA_KEY_DERIVATION_INPUT_PASSWORD;
}

static bool is_cmac(psa_algorithm_t alg)
{
    return CORRAL_WANT_ALG_SP800_108_COUNTER_CMAC && alg == PSA_ALG_SP800_108_COUNTER_CMAC;
}

/* Whether a step at `position` may follow what has been given. */
static bool is_in_order(uint32_t rules, unsigned given, unsigned position)
{
    const uint32_t mine = corral_derivation_rule(rules, position);

    if ((given >> position & 1u) != 0 && (mine & CORRAL_STEP_REPEATED) == 0) {
        return false;
    }
    if ((mine & CORRAL_STEP_ANY_TIME) != 0) {
        return true;
    }
    for (unsigned i = 0; i < CORRAL_DERIVATION_STEPS; i++) {
        const uint32_t other = corral_derivation_rule(rules, i);
        const bool was_given = (given >> i & 1u) != 0;
        const bool is_needed = other != 0 && (other & CORRAL_STEP_OPTIONAL) == 0;

        if ((other & CORRAL_STEP_ANY_TIME) == 0 &&
            (i < position ? is_needed && !was_given : i > position && was_given)) {
            return false;
        }
    }
    return true;
}

/*
 * Find the step among those of the algorithm.
 *   PSA_ERROR_INVALID_ARGUMENT  it has no such step
 *   PSA_ERROR_BAD_STATE         not now
 */
static psa_status_t locate(const psa_key_derivation_operation_t *operation,
                           psa_key_derivation_step_t step, unsigned *position)
{
    if (!corral_operation_is_active(operation->alg) || operation->is_reading) {
        return PSA_ERROR_BAD_STATE;
    }
    const uint32_t rules = corral_derivation_rules(corral_derivation_alg(operation));
    for (unsigned i = 0; i < CORRAL_DERIVATION_STEPS; i++) {
        const uint32_t rule = corral_derivation_rule(rules, i);
        if (rule != 0 && corral_derivation_step(rule) == step) {
            *position = i;
            return is_in_order(rules, operation->given, i) ? PSA_SUCCESS : PSA_ERROR_BAD_STATE;
        }
    }
    return PSA_ERROR_INVALID_ARGUMENT;
}

/* Checks the length of an input against the algorithm. */
static bool has_length(psa_algorithm_t alg, psa_key_derivation_step_t step, size_t length)
{
    if (step != PSA_KEY_DERIVATION_INPUT_SECRET) {
        return true;
    }
    if (CORRAL_WANT_ALG_HKDF_EXPAND && PSA_ALG_IS_HKDF_EXPAND(alg)) {
        return length >= corral_hash_length(PSA_ALG_GET_HASH(alg));
    }
    if (CORRAL_WANT_ALG_TLS12_PSK_TO_MS && PSA_ALG_IS_TLS12_PSK_TO_MS(alg)) {
        return length <= PSA_TLS12_PSK_TO_MS_PSK_MAX_SIZE;
    }
    return !CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS || alg != PSA_ALG_TLS12_ECJPAKE_TO_PMS ||
           length == POINT_SIZE;
}

/* Checks the content of an input that has the right length. */
static bool has_form(psa_algorithm_t alg, psa_key_derivation_step_t step, const uint8_t *data,
                     size_t length)
{
    if (CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS && alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS) {
        return data[0] == UNCOMPRESSED;
    }
    /* A zero byte ends the label in what is computed. */
    return step != PSA_KEY_DERIVATION_INPUT_LABEL || !corral_derivation_is_counter(alg) ||
           length == 0 || memchr(data, 0, length) == NULL;
}

static psa_status_t keep(psa_key_derivation_operation_t *operation, unsigned position,
                         const uint8_t *data, size_t length)
{
    struct corral_derivation_inputs *const inputs = &operation->as.inputs;
    const psa_key_derivation_step_t step = corral_derivation_step(corral_derivation_rule(
        corral_derivation_rules(corral_derivation_alg(operation)), position));

    if (!has_length(corral_derivation_alg(operation), step, length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    /* Behind that are copies of keys. Drivers have room for this much. */
    if (length > (size_t)CORRAL_DERIVATION_INPUT_MAX_SIZE - inputs->used) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    /* Repeated inputs follow each other, so their bytes are adjacent here. */
    if (inputs->length[position] == 0) {
        inputs->offset[position] = inputs->used;
    }
    /* The copy is checked and used, so the caller's memory may change meanwhile. */
    corral_copy(inputs->bytes + inputs->used, data, length);
    if (!has_form(corral_derivation_alg(operation), step, inputs->bytes + inputs->used, length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    inputs->length[position] = (uint16_t)(inputs->length[position] + length);
    inputs->used = (uint16_t)(inputs->used + length);
    return PSA_SUCCESS;
}

/* The end of each input function: the step counts, or the operation has failed. */
static psa_status_t given(psa_key_derivation_operation_t *operation, unsigned position,
                          psa_status_t status)
{
    if (status != PSA_SUCCESS) {
        return corral_derivation_fail(operation, status);
    }
    operation->given = (uint8_t)(operation->given | 1u << position);
    return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_input_bytes(psa_key_derivation_operation_t *operation,
                                            psa_key_derivation_step_t step, const uint8_t *data,
                                            size_t data_length)
{
    unsigned position = 0;

    psa_status_t status = locate(operation, step, &position);
    if (status == PSA_SUCCESS) {
        const bool is_no_bytes = step == PSA_KEY_DERIVATION_INPUT_COST ||
                                 (is_secret(step) && is_cmac(corral_derivation_alg(operation)));
        status =
            is_no_bytes ? PSA_ERROR_INVALID_ARGUMENT : keep(operation, position, data, data_length);
    }
    return given(operation, position, status);
}

/* The greatest cost that the caller may ask for: all clients wait while a password is stretched. */
static inline uint32_t max_cost(void)
{
    return corral_owner_is_client() ? (uint32_t)CORRAL_WALL_COST_MAX : UINT32_MAX;
}

/* Each block of output takes the whole cost, so a client's capacity ends where all blocks together
 * would take more than the greatest cost. */
static void set_cost(psa_key_derivation_operation_t *operation, uint32_t cost)
{
    operation->as.inputs.cost = cost;
    if (corral_owner_is_client()) {
        const size_t block = corral_pbkdf2_block_length(corral_derivation_alg(operation));
        const uint32_t blocks = max_cost() / cost;
        if (operation->capacity / block >= blocks) {
            operation->capacity = (size_t)blocks * block;
        }
    }
}

psa_status_t psa_key_derivation_input_integer(psa_key_derivation_operation_t *operation,
                                              psa_key_derivation_step_t step, uint64_t value)
{
    unsigned position = 0;

    psa_status_t status = locate(operation, step, &position);
    if (status == PSA_SUCCESS && (step != PSA_KEY_DERIVATION_INPUT_COST || value == 0)) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS && value > max_cost()) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    if (status == PSA_SUCCESS) {
        set_cost(operation, (uint32_t)value);
    }
    return given(operation, position, status);
}

/* Whether the algorithm takes a key of this type as its secret or password. */
static bool takes_secret(psa_algorithm_t alg, psa_key_type_t type)
{
    if (is_cmac(alg)) {
        return type == PSA_KEY_TYPE_AES || type == PSA_KEY_TYPE_ARIA ||
               type == PSA_KEY_TYPE_CAMELLIA || type == PSA_KEY_TYPE_SM4;
    }
    if (CORRAL_WANT_ALG_SP800_108_COUNTER_HMAC && PSA_ALG_IS_SP800_108_COUNTER_HMAC(alg) &&
        type == PSA_KEY_TYPE_HMAC) {
        return true;
    }
    return type == PSA_KEY_TYPE_DERIVE ||
           (PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg) && type == PSA_KEY_TYPE_PASSWORD);
}

static bool takes_type(psa_algorithm_t alg, psa_key_derivation_step_t step, psa_key_type_t type)
{
    if (is_secret(step)) {
        return takes_secret(alg, type);
    }
    if (step == PSA_KEY_DERIVATION_INPUT_OTHER_SECRET) {
        return type == PSA_KEY_TYPE_DERIVE;
    }
    if (step == PSA_KEY_DERIVATION_INPUT_COST) {
        return false;
    }
    return type == PSA_KEY_TYPE_RAW_DATA ||
           (PSA_ALG_IS_KEY_DERIVATION_STRETCHING(alg) && type == PSA_KEY_TYPE_PEPPER);
}

/* Whether a secret is kept among the other inputs, because its key may be destroyed meanwhile. */
static bool is_kept(psa_algorithm_t alg, const struct corral_key *key)
{
    return CORRAL_LENIENT_JPAKE && CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS &&
           alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS && corral_attributes_are_local(&key->attributes);
}

/* Whether a secret is copied for that reason to a place of its own, behind the inputs. */
static bool is_copied(psa_algorithm_t alg, const struct corral_key *key)
{
    return CORRAL_LENIENT_DESTROY && !is_cmac(alg) && key->length <= CORRAL_RAW_KEY_MAX_SIZE &&
           corral_attributes_are_local(&key->attributes);
}

/* Copy a secret behind the inputs. If the algorithm has two secrets, is_other tells the second. */
static void copy(struct corral_derivation_inputs *inputs, unsigned position, bool is_other,
                 struct corral_key *key)
{
    const size_t of_other = CORRAL_DERIVATION_INPUT_MAX_SIZE + (size_t)CORRAL_RAW_KEY_MAX_SIZE;
    const size_t place = is_other ? of_other : CORRAL_DERIVATION_INPUT_MAX_SIZE;

    corral_copy(inputs->bytes + place, corral_key_data(key), key->length);
    inputs->offset[position] = (uint16_t)place;
    inputs->length[position] = (uint16_t)key->length;
}

/* A secret is remembered by its identifier; other keys are data, and copied. */
static psa_status_t take_key(psa_key_derivation_operation_t *operation,
                             psa_key_derivation_step_t step, unsigned position,
                             struct corral_key *key)
{
    const psa_algorithm_t alg = corral_derivation_alg(operation);
    const bool is_other = step == PSA_KEY_DERIVATION_INPUT_OTHER_SECRET;

    if (!takes_type(alg, step, key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!is_secret(step) && !corral_attributes_are_local(&key->attributes)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (!is_secret(step) && !is_other) {
        return keep(operation, position, corral_key_data(key), key->length);
    }
    if (!has_length(alg, step, key->attributes.bits / 8u) ||
        (corral_attributes_are_local(&key->attributes) &&
         !has_form(alg, step, corral_key_data(key), key->length))) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (is_copied(alg, key)) {
        operation->gives_keys = operation->gives_keys || is_secret(step);
        copy(&operation->as.inputs, position, is_other, key);
        return PSA_SUCCESS;
    }
    if (is_kept(alg, key)) {
        operation->gives_keys = true;
        return keep(operation, position, corral_key_data(key), key->length);
    }
    operation->keys[is_other] = corral_key_bind(key);
    operation->gives_keys = operation->gives_keys || is_secret(step);
    return is_other ? PSA_SUCCESS : corral_dispatch_key_derivation_takes(&key->attributes, alg);
}

psa_status_t psa_key_derivation_input_key(psa_key_derivation_operation_t *operation,
                                          psa_key_derivation_step_t step, psa_key_id_t key)
{
    struct corral_key *slot;
    unsigned position = 0;

    psa_status_t status = locate(operation, step, &position);
    if (status == PSA_SUCCESS) {
        status = corral_key_hold(key, &slot);
    }
    if (status != PSA_SUCCESS) {
        return corral_derivation_fail(operation, status);
    }
    if (corral_policy_permits(&slot->attributes, PSA_KEY_USAGE_DERIVE, operation->alg) !=
        PSA_SUCCESS) {
        status = corral_policy_permits(&slot->attributes, PSA_KEY_USAGE_VERIFY_DERIVATION,
                                       operation->alg);
        operation->is_verified_only = true;
    }
    if (status == PSA_SUCCESS) {
        status = take_key(operation, step, position, slot);
    }
    corral_key_release(slot);
    return given(operation, position, status);
}

/* Agree and keep the shared secret as the input of a step. */
static psa_status_t take_agreement(psa_key_derivation_operation_t *operation, unsigned position,
                                   struct corral_key *key, const uint8_t *peer_key,
                                   size_t peer_key_length)
{
    uint8_t secret[CORRAL_AGREED_MAX_SIZE];
    size_t length;

    psa_status_t status = corral_agree(key, PSA_ALG_KEY_AGREEMENT_GET_BASE(operation->alg),
                                       peer_key, peer_key_length, secret, sizeof secret, &length);
    if (status == PSA_SUCCESS) {
        status = keep(operation, position, secret, length);
    }
    corral_wipe(secret, sizeof secret);
    return status;
}

psa_status_t psa_key_derivation_key_agreement(psa_key_derivation_operation_t *operation,
                                              psa_key_derivation_step_t step,
                                              psa_key_id_t private_key, const uint8_t *peer_key,
                                              size_t peer_key_length)
{
    struct corral_key *slot;
    unsigned position = 0;

    psa_status_t status = locate(operation, step, &position);
    if (status == PSA_SUCCESS &&
        (!PSA_ALG_IS_KEY_AGREEMENT(operation->alg) || is_cmac(corral_derivation_alg(operation)) ||
         !(is_secret(step) || step == PSA_KEY_DERIVATION_INPUT_OTHER_SECRET))) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status == PSA_SUCCESS) {
        status = corral_key_hold_for(private_key, PSA_KEY_USAGE_DERIVE, operation->alg, &slot);
    }
    if (status != PSA_SUCCESS) {
        return corral_derivation_fail(operation, status);
    }
    status = take_agreement(operation, position, slot, peer_key, peer_key_length);
    corral_key_release(slot);
    operation->gives_keys = operation->gives_keys || is_secret(step);
    return given(operation, position, status);
}
