/* SPDX-License-Identifier: Apache-2.0 */
/* SHA3 (FIPS 202). The library's calls fail only if they are misused. */
#include "mbedtls_driver.h"
#include "status.h"

#include <mbedtls/sha3.h>

_Static_assert(sizeof(mbedtls_driver_sha3_operation_t) >= sizeof(mbedtls_sha3_context),
               "mbedtls_contexts.h repeats mbedtls_sha3_context");

psa_status_t mbedtls_driver_sha3_224_compute(psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_length, uint8_t *hash, size_t hash_size,
                                             size_t *hash_length)
{
    (void)alg;
    if (hash_size < 28) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 28;
    return infallible_status(mbedtls_sha3(MBEDTLS_SHA3_224, input, input_length, hash, 28));
}

psa_status_t mbedtls_driver_sha3_224_setup(mbedtls_driver_sha3_operation_t *operation,
                                           psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha3_starts((mbedtls_sha3_context *)operation, MBEDTLS_SHA3_224));
}

psa_status_t mbedtls_driver_sha3_224_finish(mbedtls_driver_sha3_operation_t *operation,
                                            uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 28) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 28;
    return infallible_status(mbedtls_sha3_finish((mbedtls_sha3_context *)operation, hash, 28));
}

psa_status_t mbedtls_driver_sha3_256_compute(psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_length, uint8_t *hash, size_t hash_size,
                                             size_t *hash_length)
{
    (void)alg;
    if (hash_size < 32) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 32;
    return infallible_status(mbedtls_sha3(MBEDTLS_SHA3_256, input, input_length, hash, 32));
}

psa_status_t mbedtls_driver_sha3_256_setup(mbedtls_driver_sha3_operation_t *operation,
                                           psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha3_starts((mbedtls_sha3_context *)operation, MBEDTLS_SHA3_256));
}

psa_status_t mbedtls_driver_sha3_256_finish(mbedtls_driver_sha3_operation_t *operation,
                                            uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 32) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 32;
    return infallible_status(mbedtls_sha3_finish((mbedtls_sha3_context *)operation, hash, 32));
}

psa_status_t mbedtls_driver_sha3_384_compute(psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_length, uint8_t *hash, size_t hash_size,
                                             size_t *hash_length)
{
    (void)alg;
    if (hash_size < 48) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 48;
    return infallible_status(mbedtls_sha3(MBEDTLS_SHA3_384, input, input_length, hash, 48));
}

psa_status_t mbedtls_driver_sha3_384_setup(mbedtls_driver_sha3_operation_t *operation,
                                           psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha3_starts((mbedtls_sha3_context *)operation, MBEDTLS_SHA3_384));
}

psa_status_t mbedtls_driver_sha3_384_finish(mbedtls_driver_sha3_operation_t *operation,
                                            uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 48) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 48;
    return infallible_status(mbedtls_sha3_finish((mbedtls_sha3_context *)operation, hash, 48));
}

psa_status_t mbedtls_driver_sha3_512_compute(psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_length, uint8_t *hash, size_t hash_size,
                                             size_t *hash_length)
{
    (void)alg;
    if (hash_size < 64) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 64;
    return infallible_status(mbedtls_sha3(MBEDTLS_SHA3_512, input, input_length, hash, 64));
}

psa_status_t mbedtls_driver_sha3_512_setup(mbedtls_driver_sha3_operation_t *operation,
                                           psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(
        mbedtls_sha3_starts((mbedtls_sha3_context *)operation, MBEDTLS_SHA3_512));
}

psa_status_t mbedtls_driver_sha3_512_finish(mbedtls_driver_sha3_operation_t *operation,
                                            uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < 64) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = 64;
    return infallible_status(mbedtls_sha3_finish((mbedtls_sha3_context *)operation, hash, 64));
}

psa_status_t mbedtls_driver_sha3_update(mbedtls_driver_sha3_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    return infallible_status(
        mbedtls_sha3_update((mbedtls_sha3_context *)operation, input, input_length));
}

psa_status_t mbedtls_driver_sha3_abort(mbedtls_driver_sha3_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
