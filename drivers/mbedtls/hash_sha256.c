/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-224 and SHA-256 (FIPS 180-4). The library's calls fail only if they are misused. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* suspending reads what is in a context */
#include <corral/config.h>
#include <corral/drivers/mbedtls/entry_points.h>

#include "hash_state.h"

#include <mbedtls/sha256.h>

CORRAL_REPEATS(mbedtls_driver_sha256_operation_t, mbedtls_sha256_context);

/* Constant if there is only one length. */
#define IS_SHORT(length) (CORRAL_WANT_ALG_SHA_224 && (length) == 28)

psa_status_t mbedtls_driver_sha256_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    mbedtls_sha256_context context;

    (void)alg;
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    /* Not the library's function of one call, which would be linked beside these. The last one
     * wipes the context. */
    int result = mbedtls_sha256_starts(&context, IS_SHORT(length));
    result |= mbedtls_sha256_update(&context, input, input_length);
    result |= mbedtls_sha256_finish(&context, hash);
    return mbedtls_driver_hashed(infallible_status(result));
}

psa_status_t mbedtls_driver_sha256_setup(size_t length,
                                         mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha256_starts((mbedtls_sha256_context *)operation, IS_SHORT(length)));
}

psa_status_t mbedtls_driver_sha256_finish(size_t length,
                                          mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha256_finish((mbedtls_sha256_context *)operation, hash)));
}

psa_status_t mbedtls_driver_sha256_update(mbedtls_driver_sha256_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_hashed(infallible_status(
        mbedtls_sha256_update((mbedtls_sha256_context *)operation, input, input_length)));
}

static const struct hash_shape shape = {8, 8, 4, 64, false};

psa_status_t mbedtls_driver_sha256_suspend(const mbedtls_driver_sha256_operation_t *operation,
                                           uint8_t *hash_state, size_t hash_state_size,
                                           size_t *hash_state_length)
{
    const mbedtls_sha256_context *const context = (const mbedtls_sha256_context *)operation;

    return mbedtls_driver_hash_store_32(&shape, context->total, context->state, context->buffer,
                                        hash_state, hash_state_size, hash_state_length);
}

psa_status_t mbedtls_driver_sha256_resume(size_t length,
                                          mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *hash_state,
                                          size_t hash_state_length)
{
    mbedtls_sha256_context *const context = (mbedtls_sha256_context *)operation;

    psa_status_t status = mbedtls_driver_sha256_setup(length, operation, alg);
    return status == PSA_SUCCESS
               ? mbedtls_driver_hash_load_32(&shape, context->total, context->state,
                                             context->buffer, hash_state, hash_state_length)
               : status;
}

psa_status_t mbedtls_driver_sha256_abort(mbedtls_driver_sha256_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
