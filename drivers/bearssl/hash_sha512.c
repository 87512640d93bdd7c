/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-384 and SHA-512 (FIPS 180-4): BearSSL's state is the PSA operation; only the calls differ. */
#include <corral/drivers/bearssl/entry_points.h>

#include "hash_state.h"
#include "stack.h"

#include <bearssl_hash.h>
#include <corral/bindings.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_sha512_operation_t, br_sha384_context);
CORRAL_REPEATS(bearssl_driver_sha512_operation_t, br_sha512_context);

/* Known while compiling in builds that have no SHA-384. */
static bool is_short(size_t length)
{
    return CORRAL_BEARSSL_SERVES_SHA_384 && length == br_sha384_SIZE;
}

static void begin(br_sha512_context *context, size_t length)
{
    if (is_short(length)) {
        br_sha384_init(context);
    } else {
        br_sha512_init(context);
    }
}

static void end(const br_sha512_context *context, size_t length, uint8_t *hash)
{
    if (is_short(length)) {
        br_sha384_out(context, hash);
    } else {
        br_sha512_out(context, hash);
    }
}

psa_status_t bearssl_driver_sha512_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    br_sha512_context context;

    (void)alg;
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    begin(&context, length);
    br_sha512_update(&context, input, input_length);
    end(&context, length, hash);
    bearssl_driver_wipe_stack_hash_long();
    corral_wipe(&context, sizeof(context));
    *hash_length = length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_setup(size_t length,
                                         bearssl_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    begin((br_sha512_context *)operation, length);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_finish(size_t length,
                                          bearssl_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    end((const br_sha512_context *)operation, length, hash);
    bearssl_driver_wipe_stack_hash_long();
    *hash_length = length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_resume(size_t length,
                                          bearssl_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *hash_state,
                                          size_t hash_state_length)
{
    br_sha512_context *const context = (br_sha512_context *)operation;

    (void)alg;
    begin(context, length);
    return bearssl_driver_hash_load(&context->vtable, hash_state, hash_state_length);
}

psa_status_t bearssl_driver_sha512_update(bearssl_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    br_sha512_update((br_sha512_context *)operation, input, input_length);
    bearssl_driver_wipe_stack_hash_long();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_sha512_suspend(const bearssl_driver_sha512_operation_t *operation,
                                           uint8_t *hash_state, size_t hash_state_size,
                                           size_t *hash_state_length)
{
    const br_sha512_context *const context = (const br_sha512_context *)operation;

    return bearssl_driver_hash_store(&context->vtable, context->buf, hash_state, hash_state_size,
                                     hash_state_length);
}

psa_status_t bearssl_driver_sha512_abort(bearssl_driver_sha512_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
