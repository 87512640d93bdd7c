/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/pake.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/output.h"
#include "../keys/create.h"
#include "../keys/hold.h"
#include "operation.h"

/* The longest shared secret: an uncompressed point of the largest curve. */
#define MAX_SECRET 133u

static struct corral_pake_bytes show(const psa_pake_operation_t *operation, unsigned what)
{
    const struct corral_pake_bytes shown = {operation->identities + operation->offset[what],
                                            operation->length[what]};
    return shown;
}

/* Show the copy of the password in place of the key. */
static void show_copy(const psa_pake_operation_t *operation,
                      psa_crypto_driver_pake_inputs_t *inputs)
{
    static const psa_key_attributes_t password = {.type = PSA_KEY_TYPE_PASSWORD};

    inputs->alg = operation->alg;
    inputs->group.type =
        PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_PAKE_PRIMITIVE_GET_FAMILY(operation->primitive));
    inputs->group.bits = (uint16_t)PSA_PAKE_PRIMITIVE_GET_BITS(operation->primitive);
    inputs->attributes = &password;
    inputs->key = show(operation, CORRAL_PAKE_CONTEXT).data;
    inputs->key_length = operation->length[CORRAL_PAKE_CONTEXT];
}

/* Release the key that hold() held. It held none if there is a copy. */
static void let_go(const psa_pake_operation_t *operation, struct corral_key *key)
{
    if (!corral_pake_is_copied(operation)) {
        corral_key_release(key);
    }
}

/* Hold the key and show the driver all that is set. Fails as corral_key_hold_again() does. */
static psa_status_t hold(const psa_pake_operation_t *operation,
                         psa_crypto_driver_pake_inputs_t *inputs, struct corral_key **key)
{
    if (corral_pake_is_copied(operation)) {
        *key = NULL;
        show_copy(operation, inputs);
    } else {
        const psa_status_t status = corral_key_hold_again(&operation->key, key);
        if (status != PSA_SUCCESS) {
            return status;
        }
        corral_pake_show_key(inputs, operation->alg, operation->primitive, *key);
    }
    inputs->role = operation->role;
    inputs->has_context = corral_pake_was_given(operation, CORRAL_PAKE_CONTEXT);
    inputs->user = show(operation, CORRAL_PAKE_USER);
    inputs->peer = show(operation, CORRAL_PAKE_PEER);
    if (!corral_pake_is_copied(operation)) { /* else the password is there */
        inputs->context = show(operation, CORRAL_PAKE_CONTEXT);
    }
    return PSA_SUCCESS;
}

psa_status_t psa_pake_output(psa_pake_operation_t *operation, psa_pake_step_t step, uint8_t *output,
                             size_t output_size, size_t *output_length)
{
    psa_crypto_driver_pake_inputs_t inputs = {0};
    psa_crypto_driver_pake_step_t found = 0;
    struct corral_key *key;

    *output_length = 0;
    psa_status_t status = corral_pake_find_step(operation, step, true, &found);
    if (status == PSA_SUCCESS && output_size < corral_pake_output_size(operation, step)) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        status = hold(operation, &inputs, &key);
    }
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_pake_output(&operation->context, &inputs, found, output,
                                             output_size, output_length);
        let_go(operation, key);
        status = corral_output_done(status, output, output_size, output_length);
    }
    if (status != PSA_SUCCESS) {
        return corral_pake_fail(operation, status);
    }
    corral_pake_step_done(operation, step, true);
    return PSA_SUCCESS;
}

psa_status_t psa_pake_input(psa_pake_operation_t *operation, psa_pake_step_t step,
                            const uint8_t *input, size_t input_length)
{
    psa_crypto_driver_pake_inputs_t inputs = {0};
    psa_crypto_driver_pake_step_t found = 0;
    struct corral_key *key;

    psa_status_t status = corral_pake_find_step(operation, step, false, &found);
    if (status == PSA_SUCCESS) {
        status = hold(operation, &inputs, &key);
    }
    if (status == PSA_SUCCESS) {
        status =
            corral_dispatch_pake_input(&operation->context, &inputs, found, input, input_length);
        let_go(operation, key);
    }
    if (status != PSA_SUCCESS) {
        return corral_pake_fail(operation, status);
    }
    corral_pake_step_done(operation, step, false);
    return PSA_SUCCESS;
}

/*
 * Types that a shared secret may become. That of J-PAKE is a point, the others are pseudorandom and
 * may be the key of a block cipher (PSA Crypto 1.5, 10.13.6).
 */
static bool secret_may_become(psa_algorithm_t alg, psa_key_type_t type)
{
    return type == PSA_KEY_TYPE_DERIVE || type == PSA_KEY_TYPE_HMAC ||
           (!corral_pake_is_jpake(alg) &&
            (type == PSA_KEY_TYPE_AES || type == PSA_KEY_TYPE_ARIA ||
             type == PSA_KEY_TYPE_CAMELLIA || type == PSA_KEY_TYPE_SM4));
}

static psa_status_t create(psa_pake_operation_t *operation,
                           const psa_crypto_driver_pake_inputs_t *inputs,
                           const psa_key_attributes_t *attributes, psa_key_id_t *id)
{
    uint8_t secret[MAX_SECRET];
    size_t length = 0;
    struct corral_key *key;

    psa_status_t status = corral_create_begin(attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = PSA_ERROR_INVALID_ARGUMENT;
    if (secret_may_become(operation->alg, key->attributes.type)) {
        status = corral_dispatch_pake_get_implicit_key(&operation->context, inputs, secret,
                                                       sizeof secret, &length);
    }
    if (status == PSA_SUCCESS) {
        status = corral_create_import(key, secret, length);
    }
    corral_wipe(secret, sizeof secret);
    return corral_create_end(key, status, id);
}

psa_status_t psa_pake_get_shared_key(psa_pake_operation_t *operation,
                                     const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    psa_crypto_driver_pake_inputs_t inputs = {0};
    struct corral_key *password;
    psa_status_t status = PSA_ERROR_BAD_STATE;

    corral_no_key_yet(key);
    if (corral_operation_is_active(operation->alg) && corral_pake_is_complete(operation)) {
        status = hold(operation, &inputs, &password);
    }
    if (status != PSA_SUCCESS) {
        return corral_pake_fail(operation, status);
    }
    status = create(operation, &inputs, attributes, key);
    let_go(operation, password);
    return status == PSA_SUCCESS ? psa_pake_abort(operation) : corral_pake_fail(operation, status);
}
