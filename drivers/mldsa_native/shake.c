/* SPDX-License-Identifier: Apache-2.0 */
/* SHAKE128 and SHAKE256 (FIPS 202), as extendable-output functions and as hashes. None fails but
 * for want of room for a hash. */
#include <corral/drivers/mldsa_native/entry_points.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#include <src/fips202/fips202.h>

#include "stack.h"

CORRAL_REPEATS(mldsa_native_driver_keccak_t, mld_shake128ctx);
CORRAL_REPEATS(mldsa_native_driver_keccak_t, mld_shake256ctx);

#define SERVES_SHAKE128                                                                            \
    (CORRAL_MLDSA_NATIVE_SERVES_SHAKE128 || CORRAL_MLDSA_NATIVE_SERVES_SHAKE128_256)
#define SERVES_SHAKE256                                                                            \
    (CORRAL_MLDSA_NATIVE_SERVES_SHAKE256 || CORRAL_MLDSA_NATIVE_SERVES_SHAKE256_192 ||             \
     CORRAL_MLDSA_NATIVE_SERVES_SHAKE256_256 || CORRAL_MLDSA_NATIVE_SERVES_SHAKE256_512)

/* Known while compiling in builds that have one of them only. */
static bool is_shake128(size_t strength)
{
    return SERVES_SHAKE128 && (!SERVES_SHAKE256 || strength == 128);
}

static void *state_of(mldsa_native_driver_shake_operation_t *operation)
{
    return &operation->keccak;
}

psa_status_t mldsa_native_driver_shake_setup(size_t strength,
                                             mldsa_native_driver_shake_operation_t *operation,
                                             psa_algorithm_t alg)
{
    (void)alg;
    if (is_shake128(strength)) {
        mld_shake128_init(state_of(operation));
    } else {
        mld_shake256_init(state_of(operation));
    }
    operation->is_squeezing = false;
    return PSA_SUCCESS;
}

psa_status_t mldsa_native_driver_shake_update(size_t strength,
                                              mldsa_native_driver_shake_operation_t *operation,
                                              const uint8_t *input, size_t input_length)
{
    if (is_shake128(strength)) {
        mld_shake128_absorb(state_of(operation), input, input_length);
    } else {
        mld_shake256_absorb(state_of(operation), input, input_length);
    }
    mldsa_native_driver_wipe_stack_shake();
    return PSA_SUCCESS;
}

static void finalize(size_t strength, mldsa_native_driver_shake_operation_t *operation)
{
    if (is_shake128(strength)) {
        mld_shake128_finalize(state_of(operation));
    } else {
        mld_shake256_finalize(state_of(operation));
    }
    operation->is_squeezing = true;
}

psa_status_t mldsa_native_driver_shake_output(size_t strength,
                                              mldsa_native_driver_shake_operation_t *operation,
                                              uint8_t *output, size_t output_length)
{
    if (!operation->is_squeezing) {
        finalize(strength, operation);
    }
    if (is_shake128(strength)) {
        mld_shake128_squeeze(output, output_length, state_of(operation));
    } else {
        mld_shake256_squeeze(output, output_length, state_of(operation));
    }
    mldsa_native_driver_wipe_stack_shake();
    return PSA_SUCCESS;
}

psa_status_t mldsa_native_driver_shake_finish(size_t strength, size_t length,
                                              mldsa_native_driver_shake_operation_t *operation,
                                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    if (hash_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *hash_length = length;
    return mldsa_native_driver_shake_output(strength, operation, hash, length);
}

psa_status_t mldsa_native_driver_shake_abort(mldsa_native_driver_shake_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
