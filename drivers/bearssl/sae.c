/* SPDX-License-Identifier: Apache-2.0 */
#include "sae.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#include <corral/drivers/bearssl/entry_points.h>

#include "stack.h"

psa_status_t bearssl_driver_sae_setup(bearssl_driver_sae_operation_t *operation,
                                      const psa_crypto_driver_pake_inputs_t *inputs)
{
    (void)operation;
    (void)inputs;
    return PSA_SUCCESS;
}

static const struct bearssl_driver_sae_group *
group_of(const psa_crypto_driver_pake_inputs_t *inputs)
{
    return bearssl_driver_sae_group(psa_get_key_type(&inputs->group),
                                    psa_get_key_bits(&inputs->group));
}

/* Both addresses, the larger one first. */
static void order_addresses(const psa_crypto_driver_pake_inputs_t *inputs,
                            uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE])
{
    const bool is_first = memcmp(inputs->user.data, inputs->peer.data, CORRAL_SAE_MAC_SIZE) > 0;

    memcpy(addresses, is_first ? inputs->user.data : inputs->peer.data, CORRAL_SAE_MAC_SIZE);
    memcpy(addresses + CORRAL_SAE_MAC_SIZE, is_first ? inputs->peer.data : inputs->user.data,
           CORRAL_SAE_MAC_SIZE);
}

/* operation->secret = the element that the password stands for between these two addresses. */
static psa_status_t find_element(const struct bearssl_driver_sae_group *group,
                                 bearssl_driver_sae_operation_t *operation,
                                 const psa_crypto_driver_pake_inputs_t *inputs)
{
    uint8_t addresses[2 * CORRAL_SAE_MAC_SIZE];
    psa_status_t status;

    if (operation->has_secret) {
        return PSA_SUCCESS;
    }
    order_addresses(inputs, addresses);
    if (CORRAL_WANT_KEY_TYPE_PASSWORD &&
        psa_get_key_type(inputs->attributes) == PSA_KEY_TYPE_PASSWORD) {
        status = bearssl_driver_sae_loop(group, inputs->key, inputs->key_length, addresses,
                                         operation->secret);
    } else {
        status = bearssl_driver_sae_element(group, inputs->key, addresses, operation->secret);
    }
    operation->has_secret = status == PSA_SUCCESS;
    return status;
}

/* Both have committed: the shared secret (12.4.5.4), of which only x is used. */
static psa_status_t conclude(const struct bearssl_driver_sae_group *group,
                             bearssl_driver_sae_operation_t *operation)
{
    const uint8_t *const scalar = operation->peer;
    const uint8_t *const element = operation->peer + group->size;

    if (!operation->has_own || !operation->has_peer) {
        return PSA_SUCCESS;
    }
    if (!bearssl_driver_sae_multiply_add(group, operation->secret, scalar, group->size, element) ||
        !bearssl_driver_sae_multiply(group, operation->secret, operation->random)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    corral_wipe(operation->random, sizeof operation->random);
    return PSA_SUCCESS;
}

/*
 * rand, mask and the scalar that is their sum; both again while that is 0 or 1 (12.4.5.3), which
 * would tell what each is by the other.
 */
static psa_status_t draw_scalar(const struct bearssl_driver_sae_group *group,
                                bearssl_driver_sae_operation_t *operation, uint8_t *mask)
{
    for (unsigned i = 0; i < BEARSSL_SAE_DRAWS; i++) {
        psa_status_t status = bearssl_driver_sae_draw(group, operation->random);
        if (status == PSA_SUCCESS) {
            status = bearssl_driver_sae_draw(group, mask);
        }
        if (status != PSA_SUCCESS) {
            return status;
        }
        bearssl_driver_sae_add_scalars(group, operation->own, operation->random, mask);
        if (bearssl_driver_sae_is_scalar(group, operation->own)) {
            return PSA_SUCCESS;
        }
    }
    return PSA_ERROR_INSUFFICIENT_ENTROPY;
}

/* The scalar, and the element -mask times the password's. */
static psa_status_t make_commitment(const struct bearssl_driver_sae_group *group,
                                    bearssl_driver_sae_operation_t *operation)
{
    uint8_t mask[BEARSSL_SAE_SCALAR_SIZE];
    uint8_t *const element = operation->own + group->size;

    const psa_status_t status = draw_scalar(group, operation, mask);
    if (status == PSA_SUCCESS) {
        bearssl_driver_sae_negate_scalar(group, mask);
        memcpy(element, operation->secret, group->element_size);
        (void)bearssl_driver_sae_multiply(group, element, mask);
    }
    corral_wipe(mask, sizeof mask);
    operation->has_own = status == PSA_SUCCESS;
    return status;
}

static psa_status_t commit(const struct bearssl_driver_sae_group *group,
                           bearssl_driver_sae_operation_t *operation,
                           const psa_crypto_driver_pake_inputs_t *inputs)
{
    psa_status_t status = find_element(group, operation, inputs);

    if (status == PSA_SUCCESS) {
        status = make_commitment(group, operation);
    }
    return status == PSA_SUCCESS ? conclude(group, operation) : status;
}

/*
 * A peer that sends our own commitment back does not know the password (12.4.8.6.3).
 * The copy is checked: the input may change meanwhile.
 */
static psa_status_t take_commitment(const struct bearssl_driver_sae_group *group,
                                    bearssl_driver_sae_operation_t *operation,
                                    const psa_crypto_driver_pake_inputs_t *inputs,
                                    const uint8_t *input, size_t input_length)
{
    if (input_length != (size_t)group->size + group->element_size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->peer, input, input_length);
    if (!bearssl_driver_sae_is_scalar(group, operation->peer) ||
        !bearssl_driver_sae_is_element(group, operation->peer + group->size) ||
        (operation->has_own && memcmp(operation->peer, operation->own, input_length) == 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    operation->has_peer = true;
    psa_status_t status = find_element(group, operation, inputs);
    return status == PSA_SUCCESS ? conclude(group, operation) : status;
}

static size_t master_key_size(psa_algorithm_t alg)
{
    return PSA_ALG_IS_WPA3_SAE_GDH(alg) ? corral_hash_length(PSA_ALG_GET_HASH(alg)) : 32;
}

/* The keys, and their identifier (12.4.5.4). */
static psa_status_t take_salt(const struct bearssl_driver_sae_group *group,
                              bearssl_driver_sae_operation_t *operation, psa_algorithm_t alg,
                              const uint8_t *salt, size_t salt_length)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);
    const size_t hash_length = corral_hash_length(hash);
    const size_t length = hash_length + master_key_size(alg);
    uint8_t keys[2 * CORRAL_HASH_MAX_LENGTH];
    uint8_t seed[CORRAL_HASH_MAX_LENGTH];
    uint8_t context[BEARSSL_SAE_SCALAR_SIZE];
    uint8_t key[CORRAL_SAE_SALT_SIZE]; /* read twice, as that of any HMAC */

    if (salt_length > sizeof key) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    corral_copy(key, salt, salt_length);
    bearssl_driver_sae_add_scalars(group, context, operation->own, operation->peer);
    memcpy(operation->name, context, sizeof operation->name);
    psa_status_t status =
        bearssl_driver_sae_hmac(hash, key, salt_length, operation->secret, group->size, seed);
    if (status == PSA_SUCCESS) {
        status = bearssl_driver_sae_kdf(hash, seed, "SAE KCK and PMK", context, group->size, keys,
                                        8 * length);
    }
    if (status == PSA_SUCCESS) {
        memcpy(operation->confirmation_key, keys, hash_length);
        memcpy(operation->master_key, keys + hash_length, length - hash_length);
    }
    corral_wipe(operation->secret, sizeof operation->secret);
    corral_wipe(keys, sizeof keys);
    corral_wipe(seed, sizeof seed);
    return status;
}

/* HMAC over a counter, the commitment of the confirming side, and the other one (12.4.5.5). */
static psa_status_t confirm(const struct bearssl_driver_sae_group *group,
                            const bearssl_driver_sae_operation_t *operation, psa_algorithm_t alg,
                            const uint8_t *count, bool is_own, uint8_t *output)
{
    uint8_t message[CORRAL_SAE_COUNT_SIZE + 2 * BEARSSL_SAE_COMMIT_SIZE];
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(alg);
    const size_t length = (size_t)group->size + group->element_size;

    memcpy(message, count, CORRAL_SAE_COUNT_SIZE);
    memcpy(message + CORRAL_SAE_COUNT_SIZE, is_own ? operation->own : operation->peer, length);
    memcpy(message + CORRAL_SAE_COUNT_SIZE + length, is_own ? operation->peer : operation->own,
           length);
    return bearssl_driver_sae_hmac(hash, operation->confirmation_key, corral_hash_length(hash),
                                   message, CORRAL_SAE_COUNT_SIZE + 2 * length, output);
}

static psa_status_t verify(const struct bearssl_driver_sae_group *group,
                           const bearssl_driver_sae_operation_t *operation, psa_algorithm_t alg,
                           const uint8_t *input, size_t input_length)
{
    uint8_t expected[CORRAL_HASH_MAX_LENGTH];
    const size_t length = corral_hash_length(PSA_ALG_GET_HASH(alg));

    if (input_length != CORRAL_SAE_COUNT_SIZE + length) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    psa_status_t status = confirm(group, operation, alg, input, false, expected);
    if (status == PSA_SUCCESS && !corral_equal(expected, input + CORRAL_SAE_COUNT_SIZE, length)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    corral_wipe(expected, sizeof expected);
    return status;
}

static size_t length_of_output(const struct bearssl_driver_sae_group *group, psa_algorithm_t alg,
                               psa_crypto_driver_pake_step_t step)
{
    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        return (size_t)group->size + group->element_size;
    case PSA_PAKE_STEP_CONFIRM:
        return CORRAL_SAE_COUNT_SIZE + corral_hash_length(PSA_ALG_GET_HASH(alg));
    default:
        return CORRAL_SAE_PMKID_SIZE;
    }
}

static psa_status_t make_output(const struct bearssl_driver_sae_group *group,
                                bearssl_driver_sae_operation_t *operation,
                                const psa_crypto_driver_pake_inputs_t *inputs,
                                psa_crypto_driver_pake_step_t step, uint8_t *output, size_t length)
{
    psa_status_t status = PSA_SUCCESS;

    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        status = commit(group, operation, inputs);
        if (status == PSA_SUCCESS) {
            memcpy(output, operation->own, length);
        }
        return status;
    case PSA_PAKE_STEP_CONFIRM:
        memcpy(output, operation->count, CORRAL_SAE_COUNT_SIZE);
        return confirm(group, operation, inputs->alg, operation->count, true,
                       output + CORRAL_SAE_COUNT_SIZE);
    default:
        memcpy(output, operation->name, length);
        return status;
    }
}

psa_status_t bearssl_driver_sae_output(bearssl_driver_sae_operation_t *operation,
                                       const psa_crypto_driver_pake_inputs_t *inputs,
                                       psa_crypto_driver_pake_step_t step, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    const struct bearssl_driver_sae_group *const group = group_of(inputs);

    if (group == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    const size_t length = length_of_output(group, inputs->alg, step);
    if (output_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = make_output(group, operation, inputs, step, output, length);
    bearssl_driver_wipe_stack_sae();
    *output_length = status == PSA_SUCCESS ? length : 0;
    return status;
}

psa_status_t bearssl_driver_sae_input(bearssl_driver_sae_operation_t *operation,
                                      const psa_crypto_driver_pake_inputs_t *inputs,
                                      psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                      size_t input_length)
{
    const struct bearssl_driver_sae_group *const group = group_of(inputs);
    psa_status_t status = PSA_SUCCESS;

    if (group == NULL) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    switch (step) {
    case PSA_PAKE_STEP_COMMIT:
        status = take_commitment(group, operation, inputs, input, input_length);
        break;
    case PSA_PAKE_STEP_SALT:
        status = take_salt(group, operation, inputs->alg, input, input_length);
        break;
    case PSA_PAKE_STEP_CONFIRM_COUNT:
        if (input_length != CORRAL_SAE_COUNT_SIZE) {
            return PSA_ERROR_INVALID_ARGUMENT;
        }
        memcpy(operation->count, input, CORRAL_SAE_COUNT_SIZE);
        return PSA_SUCCESS;
    default:
        status = verify(group, operation, inputs->alg, input, input_length);
        break;
    }
    bearssl_driver_wipe_stack_sae();
    return status;
}

psa_status_t bearssl_driver_sae_get_implicit_key(bearssl_driver_sae_operation_t *operation,
                                                 const psa_crypto_driver_pake_inputs_t *inputs,
                                                 uint8_t *output, size_t output_size,
                                                 size_t *output_length)
{
    const size_t length = master_key_size(inputs->alg);

    if (output_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(output, operation->master_key, length);
    *output_length = length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sae_abort(bearssl_driver_sae_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
