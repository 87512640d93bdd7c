/* SPDX-License-Identifier: Apache-2.0 */
/* BLAKE2b with 64 bytes of output and no key (RFC 7693). */
#include <corral/drivers/monocypher/entry_points.h>

#include "stack.h"

#include <corral/bindings.h>
#include <corral/driver.h>
#include <monocypher.h>

#define HASH_LENGTH 64

CORRAL_REPEATS(monocypher_driver_blake2b_operation_t, crypto_blake2b_ctx);

/* The input may be a key, if constructions hash keys, or the MAC does. */
static void wipe_stack(void)
{
    if (CORRAL_HASHES_TAKE_KEYS || CORRAL_MONOCYPHER_SERVES_BLAKE2_MAC_BLAKE2B_HASH512) {
        monocypher_driver_wipe_stack_blake2b();
    }
}

/*
 * Hashes of 64 bytes: BLAKE2b (RFC 7693) and SHA-512. *_compute takes the whole input at once and
 * wipes its state; *_finish wipes the context too.
 */
psa_status_t monocypher_driver_blake2b_compute(psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_length, uint8_t *hash, size_t hash_size,
                                               size_t *hash_length)
{
    (void)alg;
    if (hash_size < HASH_LENGTH) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    crypto_blake2b(hash, HASH_LENGTH, input, input_length);
    wipe_stack();
    *hash_length = HASH_LENGTH;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_blake2b_setup(monocypher_driver_blake2b_operation_t *operation,
                                             psa_algorithm_t alg)
{
    (void)alg;
    crypto_blake2b_init((crypto_blake2b_ctx *)operation, HASH_LENGTH);
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_blake2b_update(monocypher_driver_blake2b_operation_t *operation,
                                              const uint8_t *input, size_t input_length)
{
    crypto_blake2b_update((crypto_blake2b_ctx *)operation, input, input_length);
    wipe_stack();
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_blake2b_finish(monocypher_driver_blake2b_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < HASH_LENGTH) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    crypto_blake2b_final((crypto_blake2b_ctx *)operation, hash);
    wipe_stack();
    *hash_length = HASH_LENGTH;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_blake2b_abort(monocypher_driver_blake2b_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
