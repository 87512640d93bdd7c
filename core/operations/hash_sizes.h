/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_OPERATIONS_HASH_SIZES_H
#define CORRAL_CORE_OPERATIONS_HASH_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/crypto.h>

/*
 * Whether a digest of `length` bytes can be what the hash inside the signature algorithm `alg`
 * yields, whether this build computes that hash or not: applications also sign hashes that were
 * computed elsewhere. An algorithm without a hash of its own, like PSA_ALG_ECDSA_ANY, takes any
 * length but 0.
 */
bool corral_hash_length_fits(psa_algorithm_t alg, size_t length);

#endif
