/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

#include <corral/dispatch/pake.h>
#include <corral/driver.h>

#include "../common/initialised.h"
#include "../common/multipart.h"
#include "../keys/hold.h"

/* Only WPA3-SAE is done in finite fields, and only if their tokens are wanted. */
#define HAS_DH CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH

void corral_pake_show_key(psa_crypto_driver_pake_inputs_t *inputs, psa_algorithm_t alg,
                          psa_pake_primitive_t primitive, struct corral_key *key)
{
    inputs->alg = alg;
    inputs->group.type =
        !HAS_DH || PSA_PAKE_PRIMITIVE_GET_TYPE(primitive) == PSA_PAKE_PRIMITIVE_TYPE_ECC
            ? PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive))
            : PSA_KEY_TYPE_DH_PUBLIC_KEY(PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive));
    inputs->group.bits = (uint16_t)PSA_PAKE_PRIMITIVE_GET_BITS(primitive);
    inputs->attributes = &key->attributes;
    inputs->key = corral_key_data(key);
    inputs->key_length = key->length;
}

/* Copy the password of J-PAKE behind the identities, unless it is too long. */
static void copy_password(psa_pake_operation_t *operation, struct corral_key *key)
{
    if (corral_pake_is_jpake(operation->alg) && key->length <= CORRAL_PAKE_PASSWORD_SIZE) {
        corral_copy(operation->identities + CORRAL_PAKE_IDENTITY_MAX_SIZE, corral_key_data(key),
                    key->length);
        operation->offset[CORRAL_PAKE_CONTEXT] = CORRAL_PAKE_IDENTITY_MAX_SIZE;
        operation->length[CORRAL_PAKE_CONTEXT] = key->length;
    }
}

/* Let the driver look at cipher suite and key. A setup that fails leaves the operation inactive. */
static psa_status_t begin(psa_pake_operation_t *operation,
                          const psa_pake_cipher_suite_t *cipher_suite, struct corral_key *key)
{
    const psa_algorithm_t alg = cipher_suite->algorithm;
    psa_crypto_driver_pake_inputs_t inputs = {0};

    psa_status_t status = corral_pake_check_suite(cipher_suite, &key->attributes);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (!corral_pake_takes_key(alg, cipher_suite->primitive, &key->attributes)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_attributes_are_local(&key->attributes)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    corral_pake_show_key(&inputs, alg, cipher_suite->primitive, key);
    inputs.user.data = inputs.peer.data = inputs.context.data = operation->identities;
    corral_wipe(operation, sizeof *operation);
    status = corral_dispatch_pake_setup(&operation->context, &inputs);
    if (status == PSA_SUCCESS) {
        operation->alg = alg;
        operation->primitive = cipher_suite->primitive;
        operation->key = corral_key_bind(key);
        if (CORRAL_LENIENT_DESTROY) {
            copy_password(operation, key);
        }
    } else {
        corral_wipe(operation, sizeof *operation);
    }
    return status;
}

psa_status_t psa_pake_setup(psa_pake_operation_t *operation, psa_key_id_t password_key,
                            const psa_pake_cipher_suite_t *cipher_suite)
{
    struct corral_key *key;

    if (operation->alg != PSA_ALG_NONE || !corral_is_initialised()) {
        return PSA_ERROR_BAD_STATE;
    }
    /* Read once: the operation works with the values that were checked. */
    const psa_pake_cipher_suite_t suite = *(const volatile psa_pake_cipher_suite_t *)cipher_suite;
    psa_status_t status = corral_pake_check_algorithm(suite.algorithm);
    if (status == PSA_SUCCESS) {
        status = corral_key_hold_for(password_key, PSA_KEY_USAGE_DERIVE, suite.algorithm, &key);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = begin(operation, &suite, key);
    corral_key_release(key);
    return status;
}

CORRAL_DEFINE_FAIL(corral_pake_fail, psa_pake_operation_t,
                   corral_dispatch_pake_abort(&operation->context));

/* Whether the role or an identity can be set now: only once, and before all steps. */
static psa_status_t check_setting(const psa_pake_operation_t *operation, unsigned what)
{
    return corral_operation_is_active(operation->alg) && !corral_pake_was_given(operation, what) &&
                   operation->sent == 0 && operation->received == 0
               ? PSA_SUCCESS
               : PSA_ERROR_BAD_STATE;
}

static psa_status_t given(psa_pake_operation_t *operation, unsigned what, psa_status_t status)
{
    if (status != PSA_SUCCESS) {
        return corral_pake_fail(operation, status);
    }
    operation->given = (uint8_t)(operation->given | 1u << what);
    return PSA_SUCCESS;
}

psa_status_t psa_pake_set_role(psa_pake_operation_t *operation, psa_pake_role_t role)
{
    psa_status_t status = check_setting(operation, CORRAL_PAKE_ROLE);

    if (status == PSA_SUCCESS) {
        status = corral_pake_check_role(operation, role);
    }
    if (status == PSA_SUCCESS) {
        operation->role = role;
    }
    return given(operation, CORRAL_PAKE_ROLE, status);
}

/* Keep what identifies a side or the session. */
static psa_status_t set(psa_pake_operation_t *operation, unsigned what, const uint8_t *data,
                        size_t length)
{
    const bool fits = length <= (size_t)CORRAL_PAKE_IDENTITY_MAX_SIZE - operation->used;

    psa_status_t status = check_setting(operation, what);
    if (status == PSA_SUCCESS && fits) {
        /* The copy is checked and used, so the caller's memory may change meanwhile. */
        corral_copy(operation->identities + operation->used, data, length);
        data = operation->identities + operation->used;
    }
    if (status == PSA_SUCCESS) {
        status = corral_pake_check_identity(operation, what, data, length);
    }
    if (status == PSA_SUCCESS && !fits) {
        status = PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    if (status == PSA_SUCCESS) {
        operation->offset[what] = operation->used;
        operation->length[what] = (uint16_t)length;
        operation->used = (uint16_t)(operation->used + length);
    }
    return given(operation, what, status);
}

psa_status_t psa_pake_set_user(psa_pake_operation_t *operation, const uint8_t *user_id,
                               size_t user_id_len)
{
    return set(operation, CORRAL_PAKE_USER, user_id, user_id_len);
}

psa_status_t psa_pake_set_peer(psa_pake_operation_t *operation, const uint8_t *peer_id,
                               size_t peer_id_len)
{
    return set(operation, CORRAL_PAKE_PEER, peer_id, peer_id_len);
}

psa_status_t psa_pake_set_context(psa_pake_operation_t *operation, const uint8_t *context,
                                  size_t context_len)
{
    return set(operation, CORRAL_PAKE_CONTEXT, context, context_len);
}

psa_status_t psa_pake_abort(psa_pake_operation_t *operation)
{
    (void)corral_pake_fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
