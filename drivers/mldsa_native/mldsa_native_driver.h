/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of mldsa-native. The functions are entry points: dispatch/entry_points.toml. */
#ifndef MLDSA_NATIVE_DRIVER_H
#define MLDSA_NATIVE_DRIVER_H

#include <psa/crypto_families.h>

#include "mldsa_native_contexts.h"

/*
 * SHAKE128 and SHAKE256 (FIPS 202), extendable and as hashes of a fixed length. None of them fails,
 * except that a hash is BUFFER_TOO_SMALL where its length does not fit; then nothing is written.
 */
psa_status_t mldsa_native_driver_shake128_setup(mldsa_native_driver_shake_operation_t *operation,
                                                psa_algorithm_t alg);
psa_status_t mldsa_native_driver_shake128_update(mldsa_native_driver_shake_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t mldsa_native_driver_shake128_output(mldsa_native_driver_shake_operation_t *operation,
                                                 uint8_t *output, size_t output_length);
psa_status_t
mldsa_native_driver_shake128_256_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mldsa_native_driver_shake128_abort(mldsa_native_driver_shake_operation_t *operation);

psa_status_t mldsa_native_driver_shake256_setup(mldsa_native_driver_shake_operation_t *operation,
                                                psa_algorithm_t alg);
psa_status_t mldsa_native_driver_shake256_update(mldsa_native_driver_shake_operation_t *operation,
                                                 const uint8_t *input, size_t input_length);
psa_status_t mldsa_native_driver_shake256_output(mldsa_native_driver_shake_operation_t *operation,
                                                 uint8_t *output, size_t output_length);
psa_status_t
mldsa_native_driver_shake256_192_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t
mldsa_native_driver_shake256_256_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t
mldsa_native_driver_shake256_512_finish(mldsa_native_driver_shake_operation_t *operation,
                                        uint8_t *hash, size_t hash_size, size_t *hash_length);
psa_status_t mldsa_native_driver_shake256_abort(mldsa_native_driver_shake_operation_t *operation);

#endif
