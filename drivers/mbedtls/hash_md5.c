/* SPDX-License-Identifier: Apache-2.0 */
/* MD5 (RFC 1321). The library's calls fail only if they are misused. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* suspending reads what is in a context */
#include <corral/drivers/mbedtls/entry_points.h>

#include "hash_state.h"

#include <mbedtls/md5.h>

CORRAL_REPEATS(mbedtls_driver_md5_operation_t, mbedtls_md5_context);

/*
 * Hashes: MD5, RIPEMD-160, SHA-1, SHA-2 (224 to 512), SHA3. *_compute takes the whole input at once
 * and wipes its state. Hashes of one family share the context, and so *_update and *_abort; SHA3
 * shares all, and driver.json passes the length of the hash. They fail only for want of room.
 * *_suspend, *_resume (not SHA3): the state after the algorithm field, as in hash_state.h.
 *   PSA_ERROR_INVALID_ARGUMENT  *_resume: not a state that *_suspend writes
 */
psa_status_t mbedtls_driver_md5_compute(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *hash, size_t hash_size,
                                        size_t *hash_length)
{
    (void)alg;
    if (hash_size < 16) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 16;
    return mbedtls_driver_hashed(infallible_status(mbedtls_md5(input, input_length, hash)));
}

psa_status_t mbedtls_driver_md5_setup(mbedtls_driver_md5_operation_t *operation,
                                      psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(mbedtls_md5_starts((mbedtls_md5_context *)operation));
}

psa_status_t mbedtls_driver_md5_finish(mbedtls_driver_md5_operation_t *operation, uint8_t *hash,
                                       size_t hash_size, size_t *hash_length)
{
    if (hash_size < 16) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 16;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_md5_finish((mbedtls_md5_context *)operation, hash)));
}

psa_status_t mbedtls_driver_md5_update(mbedtls_driver_md5_operation_t *operation,
                                       const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_hashed(infallible_status(
        mbedtls_md5_update((mbedtls_md5_context *)operation, input, input_length)));
}

static const struct hash_shape shape = {8, 4, 4, 64, true};

psa_status_t mbedtls_driver_md5_suspend(const mbedtls_driver_md5_operation_t *operation,
                                        uint8_t *hash_state, size_t hash_state_size,
                                        size_t *hash_state_length)
{
    const mbedtls_md5_context *const context = (const mbedtls_md5_context *)operation;

    return mbedtls_driver_hash_store_32(&shape, context->total, context->state, context->buffer,
                                        hash_state, hash_state_size, hash_state_length);
}

psa_status_t mbedtls_driver_md5_resume(mbedtls_driver_md5_operation_t *operation,
                                       psa_algorithm_t alg, const uint8_t *hash_state,
                                       size_t hash_state_length)
{
    mbedtls_md5_context *const context = (mbedtls_md5_context *)operation;

    psa_status_t status = mbedtls_driver_md5_setup(operation, alg);
    return status == PSA_SUCCESS
               ? mbedtls_driver_hash_load_32(&shape, context->total, context->state,
                                             context->buffer, hash_state, hash_state_length)
               : status;
}

psa_status_t mbedtls_driver_md5_abort(mbedtls_driver_md5_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
