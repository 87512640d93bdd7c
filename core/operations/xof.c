/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/xof.h>
#include <corral/driver.h>
#include <psa/crypto.h>

#include "../common/multipart.h"

/* The progress of an operation, which determines the permitted calls. */
enum phase {
    BEGUN, /* nothing but the setup */
    ABSORBING,
    SQUEEZING,
};

static CORRAL_DEFINE_FAIL(fail, psa_xof_operation_t,
                          corral_dispatch_xof_abort(&operation->context));

/* An algorithm with a context does nothing before it has one. */
static bool lacks_context(const psa_xof_operation_t *operation)
{
    return operation->phase == BEGUN && PSA_ALG_XOF_HAS_CONTEXT(operation->alg);
}

/* End a call: the operation has come so far, unless the call failed. */
static psa_status_t advance(psa_xof_operation_t *operation, psa_status_t status, uint8_t phase)
{
    if (status != PSA_SUCCESS) {
        return fail(operation, status);
    }
    operation->phase = phase;
    return PSA_SUCCESS;
}

psa_status_t psa_xof_setup(psa_xof_operation_t *operation, psa_algorithm_t alg)
{
    if (operation->alg != PSA_ALG_NONE) {
        return PSA_ERROR_BAD_STATE;
    }
    if (!PSA_ALG_IS_XOF(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    corral_wipe(operation, sizeof *operation);
    psa_status_t status = corral_dispatch_xof_setup(&operation->context, alg);
    if (status == PSA_SUCCESS) {
        operation->alg = alg;
    } else {
        corral_wipe(operation, sizeof *operation);
    }
    return status;
}

psa_status_t psa_xof_set_context(psa_xof_operation_t *operation, const uint8_t *context,
                                 size_t context_length)
{
    if (!corral_operation_is_active(operation->alg) || operation->phase != BEGUN) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    if (!PSA_ALG_XOF_HAS_CONTEXT(operation->alg)) {
        return fail(operation, PSA_ERROR_INVALID_ARGUMENT);
    }
    psa_status_t status =
        corral_dispatch_xof_set_context(&operation->context, context, context_length);
    return advance(operation, status, ABSORBING);
}

psa_status_t psa_xof_update(psa_xof_operation_t *operation, const uint8_t *input,
                            size_t input_length)
{
    if (!corral_operation_is_active(operation->alg) || operation->phase == SQUEEZING ||
        lacks_context(operation)) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    psa_status_t status = corral_dispatch_xof_update(&operation->context, input, input_length);
    return advance(operation, status, ABSORBING);
}

psa_status_t psa_xof_output(psa_xof_operation_t *operation, uint8_t *output, size_t output_length)
{
    if (!corral_operation_is_active(operation->alg) || lacks_context(operation)) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    psa_status_t status = corral_dispatch_xof_output(&operation->context, output, output_length);
    if (status != PSA_SUCCESS) {
        corral_wipe(output, output_length);
    }
    return advance(operation, status, SQUEEZING);
}

psa_status_t psa_xof_abort(psa_xof_operation_t *operation)
{
    (void)fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}
