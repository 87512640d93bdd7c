/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARED_KEYS_H
#define SHARED_KEYS_H

#include <psa/crypto.h>

#include "consumers.h"

#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)

/* Import a key for one purpose. */
bool shared_import(psa_key_type_t type, psa_key_usage_t usage, psa_algorithm_t alg,
                   const uint8_t *data, size_t size, psa_key_id_t *key);

#endif
