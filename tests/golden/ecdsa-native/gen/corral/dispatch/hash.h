/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drivers that compute hashes. Generated from a configuration, board native and each driver.json.
 * Made by corral.generate.hashes of the rows of family hash in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_HASH_H
#define CORRAL_DISPATCH_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/hash.h>
#include <psa/crypto.h>

#include <corral/drivers/mbedtls/entry_points.h>

/* Bytes of a hash; 0: this build does not offer it. */
static inline size_t corral_hash_length(psa_algorithm_t alg)
{
    return alg == PSA_ALG_SHA_256 ? 32 : 0;
}

/* Bytes of the block that HMAC fills; 0: this build does not compute such a hash. */
static inline size_t corral_hash_block_length(psa_algorithm_t alg)
{
    return alg == PSA_ALG_SHA_256 ? 64 : 0;
}

static inline psa_status_t corral_dispatch_hash_setup(corral_hash_context_t *context,
                                                      psa_algorithm_t alg)
{
    if (alg == PSA_ALG_SHA_256) {
        return mbedtls_driver_sha256_setup(32, &context->as.mbedtls_driver_sha256_operation, alg);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_hash_update(corral_hash_context_t *context,
                                                       const uint8_t *input, size_t input_length)
{
    return mbedtls_driver_sha256_update(&context->as.mbedtls_driver_sha256_operation, input,
                                        input_length);
}

static inline psa_status_t corral_dispatch_hash_finish(corral_hash_context_t *context,
                                                       uint8_t *hash, size_t hash_size,
                                                       size_t *hash_length)
{
    return mbedtls_driver_sha256_finish(32, &context->as.mbedtls_driver_sha256_operation, hash,
                                        hash_size, hash_length);
}

static inline void corral_dispatch_hash_abort(corral_hash_context_t *context)
{
    (void)mbedtls_driver_sha256_abort(&context->as.mbedtls_driver_sha256_operation);
}

static inline psa_status_t corral_dispatch_hash_suspend(const corral_hash_context_t *context,
                                                        uint8_t *hash_state, size_t hash_state_size,
                                                        size_t *hash_state_length)
{
    return mbedtls_driver_sha256_suspend(&context->as.mbedtls_driver_sha256_operation, hash_state,
                                         hash_state_size, hash_state_length);
}

static inline psa_status_t corral_dispatch_hash_resume(corral_hash_context_t *context,
                                                       psa_algorithm_t alg,
                                                       const uint8_t *hash_state,
                                                       size_t hash_state_length)
{
    if (alg == PSA_ALG_SHA_256) {
        return mbedtls_driver_sha256_resume(32, &context->as.mbedtls_driver_sha256_operation, alg,
                                            hash_state, hash_state_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

static inline psa_status_t corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                                        size_t input_length, uint8_t *hash,
                                                        size_t hash_size, size_t *hash_length)
{
    if (alg == PSA_ALG_SHA_256) {
        return mbedtls_driver_sha256_compute(32, alg, input, input_length, hash, hash_size,
                                             hash_length);
    }
    return PSA_ERROR_NOT_SUPPORTED;
}

#endif
