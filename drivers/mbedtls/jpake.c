/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "group.h"
#include "schnorr.h"
#include "stack.h"
#include "status.h"

#include <string.h>

#include <corral/driver.h>

/* Positions of the shares: two of round one, one of round two. */
enum { FIRST, SECOND, LAST };

static unsigned share_of(psa_crypto_driver_pake_step_t step)
{
    return (step - PSA_JPAKE_X1_STEP_KEY_SHARE) / 3u;
}

static unsigned part_of(psa_crypto_driver_pake_step_t step)
{
    return (step - PSA_JPAKE_X1_STEP_KEY_SHARE) % 3u;
}

/* s, the password as a number modulo the order. */
static int read_password(struct mbedtls_driver_group *group, mbedtls_mpi *password,
                         const psa_crypto_driver_pake_inputs_t *inputs)
{
    return mbedtls_driver_group_reduce(group, password, inputs->key, inputs->key_length);
}

/*
 * J-PAKE on curves (RFC 8236). The hash of a proof has generator, V, share and name each behind
 * their length in four bytes, as in TLS and Thread. The implicit key is K as an uncompressed point.
 *   PSA_ERROR_INVALID_ARGUMENT      *_setup: the password is a multiple of the order; *_input: no
 *                                   point of the curve, no proof by its length; or shares that
 *                                   cancel each other out
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the proof is wrong, or made under another name
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_jpake_setup(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs)
{
    struct mbedtls_driver_group group;

    (void)operation;
    int result = mbedtls_driver_group_open_public(&group, &inputs->group);
    if (result == 0) {
        result = read_password(&group, &group.scalar, inputs);
    }
    /* The two sides would share no secret. */
    if (result == 0 && mbedtls_mpi_cmp_int(&group.scalar, 0) == 0) {
        result = MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(mbedtls_driver_status(result));
}

/* point += the point that these bytes are. */
static int add_bytes(struct mbedtls_driver_group *group, mbedtls_ecp_point *point,
                     const uint8_t *data)
{
    const size_t size = mbedtls_driver_group_point_size(group);
    const int result = mbedtls_driver_group_read(group, &group->other, data, size);

    return result == 0 ? mbedtls_driver_group_add(group, point, &group->other) : result;
}

/*
 * group->point = the generator that a share is a multiple of: the group's own, and in round two
 * G1 + G3 + G4, where G1 is of the side that makes the share.
 */
static int load_generator(struct mbedtls_driver_group *group,
                          uint8_t (*maker)[MBEDTLS_DRIVER_POINT_SIZE],
                          uint8_t (*other)[MBEDTLS_DRIVER_POINT_SIZE], unsigned share)
{
    const size_t size = mbedtls_driver_group_point_size(group);

    if (share != LAST) {
        return mbedtls_ecp_copy(&group->point, &group->group.G);
    }
    int result = mbedtls_driver_group_read(group, &group->point, maker[FIRST], size);
    if (result == 0) {
        result = add_bytes(group, &group->point, other[FIRST]);
    }
    if (result == 0) {
        result = add_bytes(group, &group->point, other[SECOND]);
    }
    return result;
}

/* group->scalar = x2 s. */
static int load_last_scalar(struct mbedtls_driver_group *group,
                            const mbedtls_driver_jpake_operation_t *operation,
                            const psa_crypto_driver_pake_inputs_t *inputs)
{
    int result = read_password(group, &group->scalar, inputs);

    if (result == 0) {
        result = mbedtls_driver_group_read_scalar(group, &group->factor, operation->secret);
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply_scalars(group, &group->scalar, &group->factor,
                                                       &group->scalar);
    }
    return result;
}

/* A share: its scalar is kept until it is proved, that of the second one until the end. */
static int make_share(struct mbedtls_driver_group *group,
                      mbedtls_driver_jpake_operation_t *operation,
                      const psa_crypto_driver_pake_inputs_t *inputs, unsigned share)
{
    int result = share == LAST ? load_last_scalar(group, operation, inputs)
                               : mbedtls_driver_group_draw(group, &group->scalar);

    if (result == 0) {
        result = load_generator(group, operation->own, operation->peer, share);
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->other, &group->scalar, &group->point);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write(group, &group->other, operation->own[share]);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write_scalar(group, &group->scalar, operation->scalar);
    }
    if (result == 0 && share == SECOND) {
        memcpy(operation->secret, operation->scalar, sizeof operation->secret);
    }
    return result;
}

static struct mbedtls_driver_statement statement_of(const psa_crypto_driver_pake_inputs_t *inputs,
                                                    const struct corral_pake_bytes *name,
                                                    const uint8_t *ephemeral, const uint8_t *share)
{
    const struct mbedtls_driver_statement statement = {PSA_ALG_GET_HASH(inputs->alg), ephemeral,
                                                       share, name->data, name->length};
    return statement;
}

/* V, and with it the proof, which overwrites its secret. */
static psa_status_t prove(struct mbedtls_driver_group *group,
                          mbedtls_driver_jpake_operation_t *operation,
                          const psa_crypto_driver_pake_inputs_t *inputs, unsigned share)
{
    const struct mbedtls_driver_statement statement =
        statement_of(inputs, &inputs->user, operation->ephemeral, operation->own[share]);
    psa_status_t status;
    mbedtls_mpi ephemeral;

    mbedtls_mpi_init(&ephemeral);
    int result = load_generator(group, operation->own, operation->peer, share);
    if (result == 0) {
        result = mbedtls_driver_group_draw(group, &ephemeral);
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->other, &ephemeral, &group->point);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write(group, &group->other, operation->ephemeral);
    }
    status = mbedtls_driver_status(result);
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_schnorr_prove(group, &statement, &ephemeral, operation->scalar);
    }
    mbedtls_mpi_free(&ephemeral);
    return status;
}

psa_status_t mbedtls_driver_jpake_output(mbedtls_driver_jpake_operation_t *operation,
                                         const psa_crypto_driver_pake_inputs_t *inputs,
                                         psa_crypto_driver_pake_step_t step, uint8_t *output,
                                         size_t output_size, size_t *output_length)
{
    const uint8_t *const results[] = {operation->own[share_of(step)], operation->ephemeral,
                                      operation->scalar};
    const unsigned part = part_of(step);
    struct mbedtls_driver_group group;

    psa_status_t status =
        mbedtls_driver_status(mbedtls_driver_group_open_public(&group, &inputs->group));
    const size_t length = part == 2 ? group.size : mbedtls_driver_group_point_size(&group);
    if (status == PSA_SUCCESS && output_size < length) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS && part == 0) {
        status = mbedtls_driver_status(make_share(&group, operation, inputs, share_of(step)));
    } else if (status == PSA_SUCCESS && part == 1) {
        status = prove(&group, operation, inputs, share_of(step));
    }
    if (status == PSA_SUCCESS) {
        memcpy(output, results[part], length);
        *output_length = length;
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(status);
}

static psa_status_t check_proof(struct mbedtls_driver_group *group,
                                mbedtls_driver_jpake_operation_t *operation,
                                const psa_crypto_driver_pake_inputs_t *inputs, unsigned share,
                                const uint8_t *proof, size_t length)
{
    const struct mbedtls_driver_statement statement =
        statement_of(inputs, &inputs->peer, operation->ephemeral, operation->peer[share]);
    const int result = load_generator(group, operation->peer, operation->own, share);

    return result == 0 ? mbedtls_driver_schnorr_check(group, &statement, proof, length)
                       : mbedtls_driver_status(result);
}

psa_status_t mbedtls_driver_jpake_input(mbedtls_driver_jpake_operation_t *operation,
                                        const psa_crypto_driver_pake_inputs_t *inputs,
                                        psa_crypto_driver_pake_step_t step, const uint8_t *input,
                                        size_t input_length)
{
    const unsigned part = part_of(step);
    struct mbedtls_driver_group group;
    int result = mbedtls_driver_group_open_public(&group, &inputs->group);

    if (result == 0 && part != 2) {
        uint8_t *const kept = part == 0 ? operation->peer[share_of(step)] : operation->ephemeral;
        result = mbedtls_driver_group_keep(&group, kept, input, input_length);
    }
    psa_status_t status = mbedtls_driver_status(result);
    if (status == PSA_SUCCESS && part == 2) {
        status = check_proof(&group, operation, inputs, share_of(step), input, input_length);
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(status);
}

/* K = x2 (B - x2 s G4). */
static int make_key(struct mbedtls_driver_group *group,
                    const mbedtls_driver_jpake_operation_t *operation,
                    const psa_crypto_driver_pake_inputs_t *inputs, uint8_t *output)
{
    const size_t size = mbedtls_driver_group_point_size(group);
    int result = load_last_scalar(group, operation, inputs);

    if (result == 0) {
        result = mbedtls_driver_group_read(group, &group->other, operation->peer[SECOND], size);
    }
    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->other, &group->scalar, &group->other);
    }
    if (result == 0) {
        result = mbedtls_driver_group_read(group, &group->point, operation->peer[LAST], size);
    }
    if (result == 0) {
        result = mbedtls_driver_group_subtract(group, &group->point, &group->other);
    }
    /* The second factor of load_last_scalar() is x2. */
    if (result == 0) {
        result = mbedtls_driver_group_multiply(group, &group->point, &group->factor, &group->point);
    }
    return result == 0 ? mbedtls_driver_group_write(group, &group->point, output) : result;
}

psa_status_t mbedtls_driver_jpake_get_implicit_key(mbedtls_driver_jpake_operation_t *operation,
                                                   const psa_crypto_driver_pake_inputs_t *inputs,
                                                   uint8_t *output, size_t output_size,
                                                   size_t *output_length)
{
    struct mbedtls_driver_group group;

    psa_status_t status =
        mbedtls_driver_status(mbedtls_driver_group_open_public(&group, &inputs->group));
    if (status == PSA_SUCCESS && output_size < mbedtls_driver_group_point_size(&group)) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_status(make_key(&group, operation, inputs, output));
        *output_length = mbedtls_driver_group_point_size(&group);
    }
    mbedtls_driver_group_close(&group);
    return mbedtls_driver_pake_done(status);
}

psa_status_t mbedtls_driver_jpake_abort(mbedtls_driver_jpake_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
