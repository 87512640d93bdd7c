/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-384 and SHA-512 (FIPS 180-4). The library's calls fail only if they are misused. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS /* suspending reads what is in a context */
#include <corral/drivers/mbedtls/entry_points.h>

#include "hash_state.h"

#include <mbedtls/sha512.h>

CORRAL_REPEATS(mbedtls_driver_sha512_operation_t, mbedtls_sha512_context);

#define IS_SHORT(length) ((length) == 48)

psa_status_t mbedtls_driver_sha512_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                           size_t input_length, uint8_t *hash, size_t hash_size,
                                           size_t *hash_length)
{
    (void)alg;
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha512(input, input_length, hash, IS_SHORT(length))));
}

psa_status_t mbedtls_driver_sha512_setup(size_t length,
                                         mbedtls_driver_sha512_operation_t *operation,
                                         psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha512_starts((mbedtls_sha512_context *)operation, IS_SHORT(length)));
}

psa_status_t mbedtls_driver_sha512_finish(size_t length,
                                          mbedtls_driver_sha512_operation_t *operation,
                                          uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha512_finish((mbedtls_sha512_context *)operation, hash)));
}

psa_status_t mbedtls_driver_sha512_update(mbedtls_driver_sha512_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_hashed(infallible_status(
        mbedtls_sha512_update((mbedtls_sha512_context *)operation, input, input_length)));
}

static const struct hash_shape shape = {16, 8, 8, 128, false};

psa_status_t mbedtls_driver_sha512_suspend(const mbedtls_driver_sha512_operation_t *operation,
                                           uint8_t *hash_state, size_t hash_state_size,
                                           size_t *hash_state_length)
{
    const mbedtls_sha512_context *const context = (const mbedtls_sha512_context *)operation;
    struct hash_words words = {.low = context->total[0]};

    words.high = context->total[1];
    for (size_t i = 0; i < shape.words; i++) {
        words.chaining[i] = context->state[i];
    }
    return mbedtls_driver_hash_store(&shape, &words, context->buffer, hash_state, hash_state_size,
                                     hash_state_length);
}

psa_status_t mbedtls_driver_sha512_resume(size_t length,
                                          mbedtls_driver_sha512_operation_t *operation,
                                          psa_algorithm_t alg, const uint8_t *hash_state,
                                          size_t hash_state_length)
{
    mbedtls_sha512_context *const context = (mbedtls_sha512_context *)operation;
    struct hash_words words;

    psa_status_t status = mbedtls_driver_sha512_setup(length, operation, alg);
    if (status == PSA_SUCCESS) {
        status = mbedtls_driver_hash_load(&shape, &words, context->buffer, hash_state,
                                          hash_state_length);
    }
    if (status == PSA_SUCCESS) {
        context->total[0] = words.low;
        context->total[1] = words.high;
        for (size_t i = 0; i < shape.words; i++) {
            context->state[i] = words.chaining[i];
        }
    }
    corral_wipe(&words, sizeof words);
    return status;
}

psa_status_t mbedtls_driver_sha512_abort(mbedtls_driver_sha512_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
