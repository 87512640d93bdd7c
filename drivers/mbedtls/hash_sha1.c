/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-1 (FIPS 180-4). The library's calls fail only if they are misused. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* suspending reads what is in a context */
#include <corral/drivers/mbedtls/entry_points.h>

#include "hash_state.h"

#include <mbedtls/sha1.h>

CORRAL_REPEATS(mbedtls_driver_sha1_operation_t, mbedtls_sha1_context);

psa_status_t mbedtls_driver_sha1_compute(psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length)
{
    (void)alg;
    if (hash_size < 20) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 20;
    return mbedtls_driver_hashed(infallible_status(mbedtls_sha1(input, input_length, hash)));
}

psa_status_t mbedtls_driver_sha1_setup(mbedtls_driver_sha1_operation_t *operation,
                                       psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(mbedtls_sha1_starts((mbedtls_sha1_context *)operation));
}

psa_status_t mbedtls_driver_sha1_finish(mbedtls_driver_sha1_operation_t *operation, uint8_t *hash,
                                        size_t hash_size, size_t *hash_length)
{
    if (hash_size < 20) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 20;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha1_finish((mbedtls_sha1_context *)operation, hash)));
}

psa_status_t mbedtls_driver_sha1_update(mbedtls_driver_sha1_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_hashed(infallible_status(
        mbedtls_sha1_update((mbedtls_sha1_context *)operation, input, input_length)));
}

static const struct hash_shape shape = {8, 5, 4, 64, false};

psa_status_t mbedtls_driver_sha1_suspend(const mbedtls_driver_sha1_operation_t *operation,
                                         uint8_t *hash_state, size_t hash_state_size,
                                         size_t *hash_state_length)
{
    const mbedtls_sha1_context *const context = (const mbedtls_sha1_context *)operation;

    return mbedtls_driver_hash_store_32(&shape, context->total, context->state, context->buffer,
                                        hash_state, hash_state_size, hash_state_length);
}

psa_status_t mbedtls_driver_sha1_resume(mbedtls_driver_sha1_operation_t *operation,
                                        psa_algorithm_t alg, const uint8_t *hash_state,
                                        size_t hash_state_length)
{
    mbedtls_sha1_context *const context = (mbedtls_sha1_context *)operation;

    psa_status_t status = mbedtls_driver_sha1_setup(operation, alg);
    return status == PSA_SUCCESS
               ? mbedtls_driver_hash_load_32(&shape, context->total, context->state,
                                             context->buffer, hash_state, hash_state_length)
               : status;
}

psa_status_t mbedtls_driver_sha1_abort(mbedtls_driver_sha1_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
