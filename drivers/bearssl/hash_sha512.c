/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-384 and SHA-512 (FIPS 180-4): BearSSL's state is the PSA operation; only the calls differ. */
#include <corral/drivers/bearssl/entry_points.h>

#include "hash_state.h"
#include "stack.h"

#include <bearssl_hash.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_sha512_operation_t, br_sha384_context);
CORRAL_REPEATS(bearssl_driver_sha512_operation_t, br_sha512_context);

psa_status_t bearssl_driver_sha384_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    br_sha384_context context;

    (void)alg;
    if (hash_size < br_sha384_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha384_init(&context);
    br_sha384_update(&context, input, input_length);
    br_sha384_out(&context, hash);
    bearssl_driver_wipe_stack_hash_long();
    corral_wipe(&context, sizeof(context));
    *hash_length = br_sha384_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha384_setup(bearssl_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    br_sha384_init((br_sha384_context *)operation);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha384_finish(bearssl_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < br_sha384_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha384_out((const br_sha384_context *)operation, hash);
    bearssl_driver_wipe_stack_hash_long();
    *hash_length = br_sha384_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha384_resume(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length)
{
    br_sha384_context *const context = (br_sha384_context *)operation;

    (void)alg;
    br_sha384_init(context);
    return bearssl_driver_hash_load(&context->vtable, state, state_length);
}

psa_status_t bearssl_driver_sha512_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    br_sha512_context context;

    (void)alg;
    if (hash_size < br_sha512_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha512_init(&context);
    br_sha512_update(&context, input, input_length);
    br_sha512_out(&context, hash);
    bearssl_driver_wipe_stack_hash_long();
    corral_wipe(&context, sizeof(context));
    *hash_length = br_sha512_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_setup(bearssl_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    br_sha512_init((br_sha512_context *)operation);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_finish(bearssl_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < br_sha512_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_sha512_out((const br_sha512_context *)operation, hash);
    bearssl_driver_wipe_stack_hash_long();
    *hash_length = br_sha512_SIZE;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_resume(bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length)
{
    br_sha512_context *const context = (br_sha512_context *)operation;

    (void)alg;
    br_sha512_init(context);
    return bearssl_driver_hash_load(&context->vtable, state, state_length);
}

psa_status_t bearssl_driver_sha512_update(bearssl_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    br_sha512_update((br_sha512_context *)operation, input, input_length);
    bearssl_driver_wipe_stack_hash_long();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_suspend(const bearssl_driver_sha512_operation_t *operation,
                                           uint8_t *state, size_t state_size, size_t *state_length)
{
    const br_sha512_context *const context = (const br_sha512_context *)operation;

    return bearssl_driver_hash_store(&context->vtable, context->buf, state, state_size,
                                     state_length);
}

psa_status_t bearssl_driver_sha512_abort(bearssl_driver_sha512_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
