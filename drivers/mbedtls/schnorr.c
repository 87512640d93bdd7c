/* SPDX-License-Identifier: Apache-2.0 */
#include "schnorr.h"

#include "mbedtls_pake.h"
#include "status.h"

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

/* Hash one part of a statement, behind its length. */
static psa_status_t update(corral_hash_context_t *context, const uint8_t *data, size_t length)
{
    const uint8_t prefix[4] = {0, 0, (uint8_t)(length >> 8), (uint8_t)length};

    psa_status_t status = corral_dispatch_hash_update(context, prefix, sizeof prefix);
    return status == PSA_SUCCESS ? corral_dispatch_hash_update(context, data, length) : status;
}

static psa_status_t update_all(corral_hash_context_t *context, const uint8_t *generator,
                               size_t point_size, const struct mbedtls_driver_statement *statement)
{
    psa_status_t status = update(context, generator, point_size);

    if (status == PSA_SUCCESS) {
        status = update(context, statement->ephemeral, point_size);
    }
    if (status == PSA_SUCCESS) {
        status = update(context, statement->point, point_size);
    }
    return status == PSA_SUCCESS ? update(context, statement->name, statement->name_length)
                                 : status;
}

/* group->factor = h, the hash as a number modulo the order. */
static psa_status_t challenge(struct mbedtls_driver_group *group,
                              const struct mbedtls_driver_statement *statement)
{
    uint8_t generator[MBEDTLS_DRIVER_POINT_SIZE];
    uint8_t hash[CORRAL_HASH_MAX_LENGTH];
    corral_hash_context_t context;
    size_t length = 0;

    const int result = mbedtls_driver_group_write(group, &group->point, generator);
    if (result != 0) {
        return mbedtls_driver_status(result);
    }
    corral_wipe(&context, sizeof context);
    psa_status_t status = corral_dispatch_hash_setup(&context, statement->hash_alg);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = update_all(&context, generator, mbedtls_driver_group_point_size(group), statement);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_finish(&context, hash, sizeof hash, &length);
    }
    if (status != PSA_SUCCESS) {
        corral_dispatch_hash_abort(&context);
        return status;
    }
    return mbedtls_driver_status(mbedtls_driver_group_reduce(group, &group->factor, hash, length));
}

psa_status_t mbedtls_driver_schnorr_prove(struct mbedtls_driver_group *group,
                                          const struct mbedtls_driver_statement *statement,
                                          const mbedtls_mpi *ephemeral, uint8_t *scalar)
{
    psa_status_t status = challenge(group, statement);
    if (status != PSA_SUCCESS) {
        return status;
    }
    int result = mbedtls_driver_group_read_scalar(group, &group->scalar, scalar);
    if (result == 0) {
        result = mbedtls_driver_group_multiply_scalars(group, &group->scalar, &group->factor,
                                                       &group->scalar);
    }
    if (result == 0) {
        result = mbedtls_mpi_sub_mpi(&group->scalar, ephemeral, &group->scalar);
    }
    if (result == 0) {
        result = mbedtls_mpi_mod_mpi(&group->scalar, &group->scalar, &group->group.N);
    }
    if (result == 0) {
        result = mbedtls_driver_group_write_scalar(group, &group->scalar, scalar);
    }
    return mbedtls_driver_status(result);
}

/* Whether r G + h X is V; all of it is public. */
static int combine(struct mbedtls_driver_group *group,
                   const struct mbedtls_driver_statement *statement, bool *is_equal)
{
    const size_t size = mbedtls_driver_group_point_size(group);
    uint8_t expected[MBEDTLS_DRIVER_POINT_SIZE];

    int result = mbedtls_driver_group_read(group, &group->other, statement->point, size);
    if (result == 0) {
        result = mbedtls_ecp_muladd(&group->group, &group->other, &group->scalar, &group->point,
                                    &group->factor, &group->other);
    }
    /* Infinity is no V that a peer could have sent. */
    if (result == 0 && mbedtls_ecp_is_zero(&group->other) == 0) {
        result = mbedtls_driver_group_write(group, &group->other, expected);
        *is_equal = result == 0 && corral_equal(expected, statement->ephemeral, size);
    }
    return result;
}

psa_status_t mbedtls_driver_schnorr_check(struct mbedtls_driver_group *group,
                                          const struct mbedtls_driver_statement *statement,
                                          const uint8_t *proof, size_t proof_length)
{
    bool is_equal = false;

    if (proof_length == 0 || proof_length > group->size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = challenge(group, statement);
    if (status != PSA_SUCCESS) {
        return status;
    }
    int result = mbedtls_mpi_read_binary(&group->scalar, proof, proof_length);
    if (result == 0 && mbedtls_mpi_cmp_mpi(&group->scalar, &group->group.N) < 0) {
        result = combine(group, statement, &is_equal);
    }
    if (result != 0) {
        return mbedtls_driver_status(result);
    }
    return is_equal ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}
