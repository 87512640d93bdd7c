/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SAE_HASH_H
#define TEST_SAE_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/crypto.h>

/* The hash that goes with a group of WPA3-SAE: a finite field's, or a curve's, of so many bits. */
static inline psa_algorithm_t sae_hash(bool is_field, size_t bits)
{
    if (is_field) {
        return bits <= 3072 ? PSA_ALG_SHA_384 : PSA_ALG_SHA_512;
    }
    return bits <= 256 ? PSA_ALG_SHA_256 : bits <= 384 ? PSA_ALG_SHA_384 : PSA_ALG_SHA_512;
}

#endif
