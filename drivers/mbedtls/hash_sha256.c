/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-224 and SHA-256 (FIPS 180-4). The library's calls fail only if they are misused. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* suspending reads what is in a context */
#include <corral/drivers/mbedtls/entry_points.h>

#include "hash_state.h"
#include "stack.h"
#include "status.h"

#include <corral/driver.h>

#include <mbedtls/sha256.h>

CORRAL_REPEATS(mbedtls_driver_sha256_operation_t, mbedtls_sha256_context);

psa_status_t mbedtls_driver_sha224_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    (void)alg;
    if (hash_size < 28) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 28;
    return mbedtls_driver_hashed(infallible_status(mbedtls_sha256(input, input_length, hash, 1)));
}

psa_status_t mbedtls_driver_sha224_setup(mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(mbedtls_sha256_starts((mbedtls_sha256_context *)operation, 1));
}

psa_status_t mbedtls_driver_sha224_finish(mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 28) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 28;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha256_finish((mbedtls_sha256_context *)operation, hash)));
}

psa_status_t mbedtls_driver_sha256_compute(psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    (void)alg;
    if (hash_size < 32) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 32;
    return mbedtls_driver_hashed(infallible_status(mbedtls_sha256(input, input_length, hash, 0)));
}

psa_status_t mbedtls_driver_sha256_setup(mbedtls_driver_sha256_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(mbedtls_sha256_starts((mbedtls_sha256_context *)operation, 0));
}

psa_status_t mbedtls_driver_sha256_finish(mbedtls_driver_sha256_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 32) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 32;
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
                                           uint8_t *state, size_t state_size, size_t *state_length)
{
    const mbedtls_sha256_context *const context = (const mbedtls_sha256_context *)operation;
    struct hash_words words = {.low = (uint64_t)context->total[1] << 32 | context->total[0]};

    for (size_t i = 0; i < shape.words; i++) {
        words.chaining[i] = context->state[i];
    }
    return mbedtls_driver_hash_store(&shape, &words, context->buffer, state, state_size,
                                     state_length);
}

static psa_status_t resume(mbedtls_sha256_context *context, int is_short, const uint8_t *state,
                           size_t state_length)
{
    struct hash_words words;

    psa_status_t status = infallible_status(mbedtls_sha256_starts(context, is_short));
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_hash_load(&shape, &words, context->buffer, state, state_length);
    }
    if (status == PSA_SUCCESS) {
        context->total[0] = (uint32_t)words.low;
        context->total[1] = (uint32_t)(words.low >> 32);
        for (size_t i = 0; i < shape.words; i++) {
            context->state[i] = (uint32_t)words.chaining[i];
        }
    }
    corral_wipe(&words, sizeof words);
    return status;
}

psa_status_t mbedtls_driver_sha224_resume(mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length)
{
    (void)alg;
    return resume((mbedtls_sha256_context *)operation, 1, state, state_length);
}

psa_status_t mbedtls_driver_sha256_resume(mbedtls_driver_sha256_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *state,
                                          size_t state_length)
{
    (void)alg;
    return resume((mbedtls_sha256_context *)operation, 0, state, state_length);
}

psa_status_t mbedtls_driver_sha256_abort(mbedtls_driver_sha256_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
