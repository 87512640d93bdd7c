/* SPDX-License-Identifier: Apache-2.0 */
/* MD5 (RFC 1321): BearSSL's state is the PSA operation; only the calls differ. */
#include <corral/drivers/bearssl/entry_points.h>

#include "hash_state.h"
#include "stack.h"

#include <bearssl_hash.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_md5_operation_t, br_md5_context);

/*
 * Hashes: MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 (FIPS 180-4, RFC 1321).
 * *_compute: the whole input at once; its state is wiped.
 * *_setup, *_update, *_finish, *_abort: the multi-part operation. Hashes of one family share the
 *   context and so *_update, *_suspend and *_abort. *_finish does not change the state.
 * *_suspend, *_resume: the state after the algorithm field, as in hash_state.h.
 *   PSA_ERROR_INVALID_ARGUMENT  *_resume: not a state that *_suspend writes
 *   PSA_ERROR_NOT_SUPPORTED     *_resume: 2^64 bytes or more were hashed
 */
psa_status_t bearssl_driver_md5_compute(psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, uint8_t *hash, size_t hash_size,
                                        size_t *hash_length)
{
    br_md5_context context;

    (void)alg;
    if (hash_size < br_md5_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_md5_init(&context);
    br_md5_update(&context, input, input_length);
    br_md5_out(&context, hash);
    bearssl_driver_wipe_stack_hash();
    corral_wipe(&context, sizeof(context));
    *hash_length = br_md5_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_md5_setup(bearssl_driver_md5_operation_t *operation,
                                      psa_algorithm_t alg)
{
    (void)alg;
    br_md5_init((br_md5_context *)operation);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_md5_finish(bearssl_driver_md5_operation_t *operation, uint8_t *hash,
                                       size_t hash_size, size_t *hash_length)
{
    if (hash_size < br_md5_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_md5_out((const br_md5_context *)operation, hash);
    bearssl_driver_wipe_stack_hash();
    *hash_length = br_md5_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_md5_resume(bearssl_driver_md5_operation_t *operation,
                                       psa_algorithm_t alg, const uint8_t *hash_state,
                                       size_t hash_state_length)
{
    br_md5_context *const context = (br_md5_context *)operation;

    (void)alg;
    br_md5_init(context);
    return bearssl_driver_hash_load(&context->vtable, hash_state, hash_state_length);
}

psa_status_t bearssl_driver_md5_update(bearssl_driver_md5_operation_t *operation,
                                       const uint8_t *input, size_t input_length)
{
    br_md5_update((br_md5_context *)operation, input, input_length);
    bearssl_driver_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_md5_suspend(const bearssl_driver_md5_operation_t *operation,
                                        uint8_t *hash_state, size_t hash_state_size,
                                        size_t *hash_state_length)
{
    const br_md5_context *const context = (const br_md5_context *)operation;

    return bearssl_driver_hash_store(&context->vtable, context->buf, hash_state, hash_state_size,
                                     hash_state_length);
}

psa_status_t bearssl_driver_md5_abort(bearssl_driver_md5_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
