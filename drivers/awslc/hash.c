/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-1 and SHA-2 (FIPS 180-4). */
#include <corral/drivers/awslc/entry_points.h>

#include "hash.h"
#include "stack.h"

#include <corral/driver.h>

psa_status_t awslc_hash_compute(const struct awslc_hash *hash_of, psa_algorithm_t alg,
                                const uint8_t *input, size_t input_length, uint8_t *hash,
                                size_t hash_size, size_t *hash_length)
{
    awslc_hash_operation_t operation;

    (void)alg;
    if (hash_size < hash_of->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_hash_begin(&operation, hash_of);
    awslc_hash_add(&operation, input, input_length);
    awslc_hash_end(&operation, hash);
    *hash_length = hash_of->size;
    awslc_hashed();
    corral_wipe(&operation, sizeof operation);
    return PSA_SUCCESS;
}

psa_status_t awslc_hash_setup(const struct awslc_hash *hash_of, awslc_hash_operation_t *operation,
                              psa_algorithm_t alg)
{
    (void)alg;
    awslc_hash_begin(operation, hash_of);
    return PSA_SUCCESS;
}

psa_status_t awslc_hash_update(awslc_hash_operation_t *operation, const uint8_t *input,
                               size_t input_length)
{
    awslc_hash_add(operation, input, input_length);
    awslc_hashed();
    return PSA_SUCCESS;
}

psa_status_t awslc_hash_finish(awslc_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                               size_t *hash_length)
{
    if (hash_size < operation->hash->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_hash_end(operation, hash);
    *hash_length = operation->hash->size;
    awslc_hashed();
    return PSA_SUCCESS;
}

psa_status_t awslc_hash_abort(awslc_hash_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
