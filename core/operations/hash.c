/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <psa/crypto.h>

#include "../common/multipart.h"
#include "../common/output.h"

/* The 4-byte algorithm field that a suspended hash begins with (PSA Crypto 1.5, 10.2.5). */
#define SUSPEND_HEADER_SIZE 4u

/* Why no hash length is known for `alg`. */
static psa_status_t explain_hash(psa_algorithm_t alg)
{
    return PSA_ALG_IS_HASH(alg) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    *hash_length = 0;
    if (corral_hash_length(alg) == 0) {
        return explain_hash(alg);
    }
    psa_status_t status =
        corral_dispatch_hash_compute(alg, input, input_length, hash, hash_size, hash_length);
    return corral_output_done(status, hash, hash_size, hash_length);
}

/* Compare and wipe a computed hash; the reference is public, its length may show in the time. */
static psa_status_t compare(uint8_t *computed, size_t length, const uint8_t *expected,
                            size_t expected_length)
{
    const bool is_equal = length == expected_length && corral_equal(computed, expected, length);

    corral_wipe(computed, length);
    return is_equal ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length)
{
    uint8_t computed[CORRAL_HASH_MAX_LENGTH];
    size_t length;

    psa_status_t status =
        psa_hash_compute(alg, input, input_length, computed, sizeof computed, &length);
    return status == PSA_SUCCESS ? compare(computed, length, hash, hash_length) : status;
}

static CORRAL_DEFINE_FAIL(fail, psa_hash_operation_t,
                          corral_dispatch_hash_abort(&operation->context));

/* End a successful operation: nothing of it stays. */
static psa_status_t end(psa_hash_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

/* The common end of setup and resume, after the driver has answered. */
static psa_status_t begin(psa_hash_operation_t *operation, psa_algorithm_t alg, psa_status_t status)
{
    if (status == PSA_SUCCESS) {
        operation->alg = alg;
    } else {
        corral_wipe(operation, sizeof *operation);
    }
    return status;
}

psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg)
{
    if (operation->alg != PSA_ALG_NONE) {
        return PSA_ERROR_BAD_STATE;
    }
    if (corral_hash_length(alg) == 0) {
        return explain_hash(alg);
    }
    corral_wipe(operation, sizeof *operation);
    return begin(operation, alg, corral_dispatch_hash_setup(&operation->context, alg));
}

psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length)
{
    if (!corral_operation_is_active(operation->alg)) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    psa_status_t status = corral_dispatch_hash_update(&operation->context, input, input_length);
    return status == PSA_SUCCESS ? PSA_SUCCESS : fail(operation, status);
}

psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length)
{
    *hash_length = 0;
    if (!corral_operation_is_active(operation->alg)) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    if (hash_size < corral_hash_length(operation->alg)) {
        return fail(operation, PSA_ERROR_BUFFER_TOO_SMALL);
    }
    psa_status_t status =
        corral_dispatch_hash_finish(&operation->context, hash, hash_size, hash_length);
    if (status != PSA_SUCCESS) {
        corral_output_discard(hash, hash_size, hash_length);
        return fail(operation, status);
    }
    return end(operation);
}

psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length)
{
    uint8_t computed[CORRAL_HASH_MAX_LENGTH];
    size_t length;

    psa_status_t status = psa_hash_finish(operation, computed, sizeof computed, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = compare(computed, length, hash, hash_length);
    if (status != PSA_SUCCESS) {
        /* It has ended; a wrong hash nevertheless leaves it failed (3.3.2). */
        operation->alg = CORRAL_OPERATION_FAILED;
    }
    return status;
}

psa_status_t psa_hash_abort(psa_hash_operation_t *operation)
{
    (void)fail(operation, PSA_SUCCESS);
    operation->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}

psa_status_t psa_hash_clone(const psa_hash_operation_t *source_operation,
                            psa_hash_operation_t *target_operation)
{
    if (!corral_operation_is_active(source_operation->alg) ||
        target_operation->alg != PSA_ALG_NONE) {
        return PSA_ERROR_BAD_STATE;
    }
    *target_operation = *source_operation;
    return PSA_SUCCESS;
}

psa_status_t psa_hash_suspend(psa_hash_operation_t *operation, uint8_t *hash_state,
                              size_t hash_state_size, size_t *hash_state_length)
{
    const psa_algorithm_t alg = operation->alg;
    size_t length = 0;

    *hash_state_length = 0;
    if (!corral_operation_is_active(alg)) {
        return fail(operation, PSA_ERROR_BAD_STATE);
    }
    if (hash_state_size < SUSPEND_HEADER_SIZE) {
        /* Asked without any room: a hash that has no state to give away needs none. */
        uint8_t none;
        return fail(operation,
                    corral_dispatch_hash_suspend(&operation->context, &none, 0, &length));
    }
    psa_status_t status =
        corral_dispatch_hash_suspend(&operation->context, hash_state + SUSPEND_HEADER_SIZE,
                                     hash_state_size - SUSPEND_HEADER_SIZE, &length);
    if (status != PSA_SUCCESS) {
        corral_output_discard(hash_state, hash_state_size, hash_state_length);
        return fail(operation, status);
    }
    hash_state[0] = (uint8_t)(alg >> 24);
    hash_state[1] = (uint8_t)(alg >> 16);
    hash_state[2] = (uint8_t)(alg >> 8);
    hash_state[3] = (uint8_t)alg;
    *hash_state_length = SUSPEND_HEADER_SIZE + length;
    corral_dispatch_hash_abort(&operation->context);
    return end(operation);
}

psa_status_t psa_hash_resume(psa_hash_operation_t *operation, const uint8_t *hash_state,
                             size_t hash_state_length)
{
    if (operation->alg != PSA_ALG_NONE) {
        return PSA_ERROR_BAD_STATE;
    }
    if (hash_state_length < SUSPEND_HEADER_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_algorithm_t alg = ((psa_algorithm_t)hash_state[0] << 24) |
                                ((psa_algorithm_t)hash_state[1] << 16) |
                                ((psa_algorithm_t)hash_state[2] << 8) | hash_state[3];
    if (corral_hash_length(alg) == 0) {
        return explain_hash(alg);
    }
    corral_wipe(operation, sizeof *operation);
    return begin(operation, alg,
                 corral_dispatch_hash_resume(&operation->context, alg,
                                             hash_state + SUSPEND_HEADER_SIZE,
                                             hash_state_length - SUSPEND_HEADER_SIZE));
}
