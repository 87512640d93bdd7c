/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_KEYS_PUBLIC_HALF_H
#define CORRAL_CORE_KEYS_PUBLIC_HALF_H

#include "key.h"

/* A key on the stack, in no slot: local drivers verify and encrypt with public keys only. */
struct corral_public_half {
    struct corral_key key;
    uint8_t data[CORRAL_PUBLIC_KEY_MAX_SIZE + 1]; /* one more, so that none is still C */
};

/*
 * Take the public half of a key, wherever it is, into memory.
 *   PSA_ERROR_NOT_SUPPORTED  a symmetric key has none
 */
psa_status_t corral_public_half(struct corral_key *key, struct corral_public_half *half);

/* Whether the drivers of the key's location are to be asked with the key as it is. */
static inline bool corral_is_used_directly(const struct corral_key *key)
{
    return corral_attributes_are_local(&key->attributes)
               ? PSA_KEY_TYPE_IS_PUBLIC_KEY(key->attributes.type)
               : PSA_KEY_TYPE_IS_ASYMMETRIC(key->attributes.type);
}

/* Whether the answer of an element leaves the rest to this memory. */
static inline bool corral_is_left_to_memory(const struct corral_key *key, psa_status_t status)
{
    return !corral_attributes_are_local(&key->attributes) && status == PSA_ERROR_NOT_SUPPORTED;
}

#endif
