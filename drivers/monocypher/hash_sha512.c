/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-512 (FIPS 180-4), which Ed25519 brings along. */
#include <corral/drivers/monocypher/entry_points.h>

#include "stack.h"

#include <corral/driver.h>

#include <monocypher-ed25519.h>

#define HASH_LENGTH 64

CORRAL_REPEATS(monocypher_driver_sha512_operation_t, crypto_sha512_ctx);

psa_status_t monocypher_driver_sha512_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_length, uint8_t *hash, size_t hash_size,
                                              size_t *hash_length)
{
    (void)alg;
    if (hash_size < HASH_LENGTH) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    crypto_sha512(hash, input, input_length);
    monocypher_driver_wipe_stack_hash();
    *hash_length = HASH_LENGTH;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_sha512_setup(monocypher_driver_sha512_operation_t *operation,
                                            psa_algorithm_t alg)
{
    (void)alg;
    crypto_sha512_init((crypto_sha512_ctx *)operation);
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_sha512_update(monocypher_driver_sha512_operation_t *operation,
                                             const uint8_t *input, size_t input_length)
{
    crypto_sha512_update((crypto_sha512_ctx *)operation, input, input_length);
    monocypher_driver_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_sha512_finish(monocypher_driver_sha512_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < HASH_LENGTH) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    crypto_sha512_final((crypto_sha512_ctx *)operation, hash);
    monocypher_driver_wipe_stack_hash();
    *hash_length = HASH_LENGTH;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_sha512_abort(monocypher_driver_sha512_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
