/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-1 (FIPS 180-4): BearSSL's state is the PSA operation; only the calls differ. */
#include <corral/drivers/bearssl/entry_points.h>

#include "hash_state.h"
#include "stack.h"

#include <bearssl_hash.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_sha1_operation_t, br_sha1_context);

psa_status_t bearssl_driver_sha1_compute(psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length)
{
    br_sha1_context context;

    (void)alg;
    if (hash_size < br_sha1_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha1_init(&context);
    br_sha1_update(&context, input, input_length);
    br_sha1_out(&context, hash);
    bearssl_driver_wipe_stack_hash();
    corral_wipe(&context, sizeof(context));
    *hash_length = br_sha1_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha1_setup(bearssl_driver_sha1_operation_t *operation,
                                       psa_algorithm_t alg)
{
    (void)alg;
    br_sha1_init((br_sha1_context *)operation);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha1_finish(bearssl_driver_sha1_operation_t *operation, uint8_t *hash,
                                        size_t hash_size, size_t *hash_length)
{
    if (hash_size < br_sha1_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha1_out((const br_sha1_context *)operation, hash);
    bearssl_driver_wipe_stack_hash();
    *hash_length = br_sha1_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha1_resume(bearssl_driver_sha1_operation_t *operation,
                                        psa_algorithm_t alg, const uint8_t *hash_state,
                                        size_t hash_state_length)
{
    br_sha1_context *const context = (br_sha1_context *)operation;

    (void)alg;
    br_sha1_init(context);
    return bearssl_driver_hash_load(&context->vtable, hash_state, hash_state_length);
}

psa_status_t bearssl_driver_sha1_update(bearssl_driver_sha1_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    br_sha1_update((br_sha1_context *)operation, input, input_length);
    bearssl_driver_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha1_suspend(const bearssl_driver_sha1_operation_t *operation,
                                         uint8_t *hash_state, size_t hash_state_size,
                                         size_t *hash_state_length)
{
    const br_sha1_context *const context = (const br_sha1_context *)operation;

    return bearssl_driver_hash_store(&context->vtable, context->buf, hash_state, hash_state_size,
                                     hash_state_length);
}

psa_status_t bearssl_driver_sha1_abort(bearssl_driver_sha1_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
