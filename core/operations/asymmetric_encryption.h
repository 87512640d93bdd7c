/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_OPERATIONS_ASYMMETRIC_ENCRYPTION_H
#define CORRAL_CORE_OPERATIONS_ASYMMETRIC_ENCRYPTION_H

#include <stddef.h>

#include <psa/crypto.h>

/*
 * Check that such a key encrypts by `alg`; *room: bytes of a block that padding leaves to the text.
 *   PSA_ERROR_NOT_SUPPORTED     an asymmetric key of another type than RSA: only RSA encrypts
 *   PSA_ERROR_INVALID_ARGUMENT  any other key, another algorithm, or a key too short for it
 */
psa_status_t corral_asymmetric_room(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                    size_t *room);

#endif
