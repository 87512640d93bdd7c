/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_HASH_SIZES_H
#define CORRAL_CORE_HASH_SIZES_H

#include <stddef.h>

#include <psa/crypto.h>

/*
 * Bytes of a hash by the algorithm `alg`, or by the hash inside a composed algorithm, whether this
 * build computes it or not: applications also sign hashes that were computed elsewhere.
 * 0 for "no hash" and for the wildcard.
 */
size_t corral_hash_field_length(psa_algorithm_t alg);

#endif
