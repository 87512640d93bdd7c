/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-224 and SHA-256 (FIPS 180-4). The library's calls fail only if they are misused. */
#include "mbedtls_driver.h"
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
    return infallible_status(mbedtls_sha256(input, input_length, hash, 1));
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
    return infallible_status(mbedtls_sha256_finish((mbedtls_sha256_context *)operation, hash));
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
    return infallible_status(mbedtls_sha256(input, input_length, hash, 0));
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
    return infallible_status(mbedtls_sha256_finish((mbedtls_sha256_context *)operation, hash));
}

psa_status_t mbedtls_driver_sha256_update(mbedtls_driver_sha256_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    return infallible_status(
        mbedtls_sha256_update((mbedtls_sha256_context *)operation, input, input_length));
}

psa_status_t mbedtls_driver_sha256_abort(mbedtls_driver_sha256_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
