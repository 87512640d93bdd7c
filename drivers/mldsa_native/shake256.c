/* SPDX-License-Identifier: Apache-2.0 */
/* SHAKE256 (FIPS 202), as an extendable-output function and as a hash. */
#include <corral/drivers/mldsa_native/entry_points.h>

#include <corral/driver.h>

#include <src/fips202/fips202.h>

#include "stack.h"

CORRAL_REPEATS(mldsa_native_driver_keccak_t, mld_shake256ctx);

static mld_shake256ctx *state_of(mldsa_native_driver_shake_operation_t *operation)
{
    return (mld_shake256ctx *)&operation->keccak;
}

psa_status_t mldsa_native_driver_shake256_setup(mldsa_native_driver_shake_operation_t *operation,
                                                psa_algorithm_t alg)
{
    (void)alg;
    mld_shake256_init(state_of(operation));
    operation->is_squeezing = false;
    return PSA_SUCCESS;
}

psa_status_t mldsa_native_driver_shake256_update(mldsa_native_driver_shake_operation_t *operation,
                                                 const uint8_t *input, size_t input_length)
{
    mld_shake256_absorb(state_of(operation), input, input_length);
    mldsa_native_driver_wipe_stack_shake();
    return PSA_SUCCESS;
}

psa_status_t mldsa_native_driver_shake256_output(mldsa_native_driver_shake_operation_t *operation,
                                                 uint8_t *output, size_t output_length)
{
    if (!operation->is_squeezing) {
        mld_shake256_finalize(state_of(operation));
        operation->is_squeezing = true;
    }
    mld_shake256_squeeze(output, output_length, state_of(operation));
    mldsa_native_driver_wipe_stack_shake();
    return PSA_SUCCESS;
}

static psa_status_t finish(mldsa_native_driver_shake_operation_t *operation, size_t length,
                           uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mldsa_native_driver_shake256_output(operation, hash, length);
}

psa_status_t
mldsa_native_driver_shake256_192_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish(operation, 24, hash, hash_size, hash_length);
}

psa_status_t
mldsa_native_driver_shake256_256_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish(operation, 32, hash, hash_size, hash_length);
}

psa_status_t
mldsa_native_driver_shake256_512_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    return finish(operation, 64, hash, hash_size, hash_length);
}

psa_status_t mldsa_native_driver_shake256_abort(mldsa_native_driver_shake_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
