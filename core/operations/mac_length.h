/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_OPERATIONS_MAC_LENGTH_H
#define CORRAL_CORE_OPERATIONS_MAC_LENGTH_H

#include <psa/crypto.h>

/*
 * Length in bytes of the MAC that `alg` asks for, or an error, which is negative.
 *   PSA_ERROR_NOT_SUPPORTED     the build computes no such MAC, or not so short
 *   PSA_ERROR_INVALID_ARGUMENT  not a MAC, or of keys of another type, or longer than in full
 */
psa_status_t corral_mac_wanted_length(psa_algorithm_t alg, const psa_key_attributes_t *attributes);

#endif
