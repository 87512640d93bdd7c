/* SPDX-License-Identifier: Apache-2.0 */
/* SHA3 (FIPS 202). The library's calls fail only if they are misused. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <corral/driver.h>

#include <mbedtls/sha3.h>

CORRAL_REPEATS(mbedtls_driver_sha3_operation_t, mbedtls_sha3_context);

static mbedtls_sha3_id id_of(size_t length)
{
    return length == 28   ? MBEDTLS_SHA3_224
           : length == 32 ? MBEDTLS_SHA3_256
           : length == 48 ? MBEDTLS_SHA3_384
                          : MBEDTLS_SHA3_512;
}

psa_status_t mbedtls_driver_sha3_compute(size_t length, psa_algorithm_t alg, const uint8_t *input,
                                         size_t input_length, uint8_t *hash, size_t hash_size,
                                         size_t *hash_length)
{
    (void)alg;
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha3(id_of(length), input, input_length, hash, length)));
}

psa_status_t mbedtls_driver_sha3_setup(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                       psa_algorithm_t alg)
{
    (void)alg;
    return infallible_status(mbedtls_sha3_starts((mbedtls_sha3_context *)operation, id_of(length)));
}

psa_status_t mbedtls_driver_sha3_finish(size_t length, mbedtls_driver_sha3_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mbedtls_driver_hashed(
        infallible_status(mbedtls_sha3_finish((mbedtls_sha3_context *)operation, hash, length)));
}

psa_status_t mbedtls_driver_sha3_update(mbedtls_driver_sha3_operation_t *operation,
                                        const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_hashed(infallible_status(
        mbedtls_sha3_update((mbedtls_sha3_context *)operation, input, input_length)));
}

psa_status_t mbedtls_driver_sha3_abort(mbedtls_driver_sha3_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
