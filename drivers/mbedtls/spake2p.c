/* SPDX-License-Identifier: Apache-2.0 */
#include "spake2p.h"

#include <corral/drivers/mbedtls/entry_points.h>

#include "group.h"
#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/driver.h>

/*
 * SPAKE2+ with HMAC or CMAC (RFC 9383), and as in Matter (draft 02). The implicit key has the
 * length of the hash, in Matter half of it.
 *   PSA_ERROR_INVALID_ARGUMENT      *_input: a share that is no point of the curve, or all mask
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the confirmation is wrong
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_spake2p_setup(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs)
{
    (void)operation;
    (void)inputs;
    return PSA_SUCCESS;
}

/* group->other = w0 times M or N, which hides a share and is taken off again. */
static int load_mask(struct mbedtls_driver_group *group,
                     const psa_crypto_driver_pake_inputs_t *inputs, bool is_of_prover)
{
    const uint8_t *const point = is_of_prover ? mbedtls_driver_spake2p_m(group->size)
                                              : mbedtls_driver_spake2p_n(group->size);
    int result = mbedtls_driver_group_read_scalar(group, &group->factor, inputs->key);

    if (result == 0) {
        result = mbedtls_driver_group_read(group, &group->other, point,
                                           mbedtls_driver_group_point_size(group));
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->other, &group->factor, &group->other);
    }
    return result;
}

/* x P + w0 M, or y P + w0 N. */
static int make_share(struct mbedtls_driver_group *group,
                      mbedtls_driver_spake2p_operation_t *operation,
                      const psa_crypto_driver_pake_inputs_t *inputs)
{
    int result = mbedtls_driver_group_draw(group, &group->scalar);

    if (result == 0) {
        result =
            mbedtls_driver_group_multiply(group, &group->point, &group->scalar, &group->group.G);
    }
    if (result == 0) {
        result = load_mask(group, inputs, mbedtls_driver_is_prover(inputs));
    }
    if (result == 0) {
        result = mbedtls_driver_group_add(group, &group->point, &group->other);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write(group, &group->point, operation->own);
    }
    return result == 0 ? mbedtls_driver_group_write_scalar(group, &group->scalar, operation->secret)
                       : result;
}

/* Multiply a point by the scalar in these bytes and write it. */
static int multiply_and_write(struct mbedtls_driver_group *group, const uint8_t *scalar,
                              const mbedtls_ecp_point *point, uint8_t *output)
{
    int result = mbedtls_driver_group_read_scalar(group, &group->factor, scalar);

    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->other, &group->factor, point);
    }
    return result == 0 ? mbedtls_driver_group_write(group, &group->other, output) : result;
}

/* group->point = L: in the public key, and w1 P of the pair. */
static int load_l(struct mbedtls_driver_group *group, const psa_crypto_driver_pake_inputs_t *inputs)
{
    const uint8_t *const second = inputs->key + group->size;

    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(inputs->attributes))) {
        return mbedtls_driver_group_read(group, &group->point, second,
                                         mbedtls_driver_group_point_size(group));
    }
    const int result = mbedtls_driver_group_read_scalar(group, &group->factor, second);
    return result == 0 ? mbedtls_driver_group_multiply(group, &group->point, &group->factor,
                                                       &group->group.G)
                       : result;
}

/* Z, and V, from the other's share without its mask. */
static int make_secrets(struct mbedtls_driver_group *group,
                        const mbedtls_driver_spake2p_operation_t *operation,
                        const psa_crypto_driver_pake_inputs_t *inputs,
                        struct mbedtls_driver_spake2p_secrets *secrets)
{
    const bool is_prover = mbedtls_driver_is_prover(inputs);
    const uint8_t *last = operation->secret;
    int result = mbedtls_driver_group_read(group, &group->point, operation->peer,
                                           mbedtls_driver_group_point_size(group));

    if (result == 0) {
        result = load_mask(group, inputs, !is_prover);
    }
    if (result == 0) {
        result = mbedtls_driver_group_subtract(group, &group->point, &group->other);
    }
    if (result == 0) {
        result = multiply_and_write(group, operation->secret, &group->point, secrets->z);
    }
    if (result == 0 && is_prover) {
        last = inputs->key + group->size;
    } else if (result == 0) {
        result = load_l(group, inputs);
    }
    return result == 0 ? multiply_and_write(group, last, &group->point, secrets->v) : result;
}

/* Both shares are there: everything else follows from them. */
static psa_status_t conclude(struct mbedtls_driver_group *group,
                             mbedtls_driver_spake2p_operation_t *operation,
                             const psa_crypto_driver_pake_inputs_t *inputs)
{
    struct mbedtls_driver_spake2p_secrets secrets;

    psa_status_t status = mbedtls_driver_status(make_secrets(group, operation, inputs, &secrets));
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_spake2p_schedule(operation, inputs, group->size, &secrets);
    }
    corral_wipe(&secrets, sizeof secrets);
    corral_wipe(operation->secret, sizeof operation->secret);
    return status;
}

static psa_status_t give(const uint8_t *data, size_t length, uint8_t *output, size_t output_size,
                         size_t *output_length)
{
    if (output_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(output, data, length);
    *output_length = length;
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_spake2p_output(mbedtls_driver_spake2p_operation_t *operation,
                                           const psa_crypto_driver_pake_inputs_t *inputs,
                                           psa_crypto_driver_pake_step_t step, uint8_t *output,
                                           size_t output_size, size_t *output_length)
{
    struct mbedtls_driver_group group;

    if (step == PSA_PAKE_STEP_CONFIRM) {
        return give(operation->own_confirmation, operation->confirmation_length, output,
                    output_size, output_length);
    }
    int result = mbedtls_driver_group_open_public(&group, &inputs->group);
    if (result == 0) {
        result = make_share(&group, operation, inputs);
    }
    psa_status_t status = mbedtls_driver_status(result);
    if (status == PSA_SUCCESS && !mbedtls_driver_is_prover(inputs)) {
        status = conclude(&group, operation, inputs);
    }
    if (status == PSA_SUCCESS) {
        status = give(operation->own, mbedtls_driver_group_point_size(&group), output, output_size,
                      output_length);
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(status);
}

psa_status_t mbedtls_driver_spake2p_input(mbedtls_driver_spake2p_operation_t *operation,
                                          const psa_crypto_driver_pake_inputs_t *inputs,
                                          psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                          size_t input_length)
{
    struct mbedtls_driver_group group;

    if (step == PSA_PAKE_STEP_CONFIRM) {
        return input_length == operation->confirmation_length &&
                       corral_equal(input, operation->peer_confirmation, input_length)
                   ? PSA_SUCCESS
                   : PSA_ERROR_INVALID_SIGNATURE;
    }
    int result = mbedtls_driver_group_open_public(&group, &inputs->group);
    if (result == 0) {
        result = mbedtls_driver_group_keep(&group, operation->peer, input, input_length);
    }
    psa_status_t status = mbedtls_driver_status(result);
    if (status == PSA_SUCCESS && mbedtls_driver_is_prover(inputs)) {
        status = conclude(&group, operation, inputs);
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(status);
}

psa_status_t mbedtls_driver_spake2p_get_implicit_key(mbedtls_driver_spake2p_operation_t *operation,
                                                     const psa_crypto_driver_pake_inputs_t *inputs,
                                                     uint8_t *output, size_t output_size,
                                                     size_t *output_length)
{
    (void)inputs;
    return give(operation->shared, operation->shared_length, output, output_size, output_length);
}

psa_status_t mbedtls_driver_spake2p_abort(mbedtls_driver_spake2p_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
