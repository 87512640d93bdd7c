/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes in memory, as the generator would declare them: rig.c has SHA-256. */
#ifndef CORRAL_DISPATCH_HASH_H
#define CORRAL_DISPATCH_HASH_H

#include <psa/crypto.h>

psa_status_t corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                          size_t input_length, uint8_t *hash, size_t hash_size,
                                          size_t *hash_length);

#endif
