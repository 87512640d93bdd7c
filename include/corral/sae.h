/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of WPA3-SAE for core and drivers (IEEE 802.11-2024, 12.4). */
#ifndef CORRAL_SAE_H
#define CORRAL_SAE_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/crypto_families.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a counter of confirmations, and of the name of a shared key. */
#define CORRAL_SAE_COUNT_SIZE 2
#define CORRAL_SAE_PMKID_SIZE 16

/* Bytes of an address; an exchange has those of both sides. */
#define CORRAL_SAE_MAC_SIZE 6

/* Whether a primitive, or a password token, is of a finite field; otherwise it is of a curve. */
static inline bool corral_sae_is_field(psa_key_type_t type)
{
    return PSA_KEY_TYPE_IS_DH(type) || PSA_KEY_TYPE_IS_WPA3_SAE_DH(type);
}

/*
 * The hash that goes with a group when the password was hashed to an element: by the bits of the
 * prime (12.4.2, table 12-1).
 */
static inline psa_algorithm_t corral_sae_hash(bool is_field, size_t bits)
{
    if (bits <= (is_field ? 2048 : 256)) {
        return PSA_ALG_SHA_256;
    }
    return bits <= (is_field ? 3072 : 384) ? PSA_ALG_SHA_384 : PSA_ALG_SHA_512;
}

#ifdef __cplusplus
}
#endif

#endif
