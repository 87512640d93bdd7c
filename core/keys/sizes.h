/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes of a key's outputs, computed instead of looked up: the specification's macros cover
 * every key type and cost hundreds of bytes when their arguments are not constants.
 */
#ifndef CORRAL_CORE_KEYS_SIZES_H
#define CORRAL_CORE_KEYS_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#include <corral/config.h>
#include <psa/crypto.h>

/* Ed448 keys and halves of signatures have a byte for the sign that 448 bits do not count. */
static inline size_t corral_ecc_sign_byte(const psa_key_attributes_t *attributes)
{
    const bool is_ed448 =
        CORRAL_WANT_ECC_TWISTED_EDWARDS_448 && attributes->bits == 448 &&
        PSA_KEY_TYPE_ECC_GET_FAMILY(attributes->type) == PSA_ECC_FAMILY_TWISTED_EDWARDS;

    return is_ed448 ? 1u : 0u;
}

/* Bytes of an ECC private key, and of the shared secret of a key agreement on its curve. */
static inline size_t corral_ecc_private_size(const psa_key_attributes_t *attributes)
{
    return ((size_t)attributes->bits + 7) / 8 + corral_ecc_sign_byte(attributes);
}

/* Bytes of an ECC public key: 04 and two coordinates, or one coordinate (RFC 7748, RFC 8032). */
static inline size_t corral_ecc_public_size(const psa_key_attributes_t *attributes)
{
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(attributes->type);
    const size_t size = corral_ecc_private_size(attributes);

    return family == PSA_ECC_FAMILY_MONTGOMERY || family == PSA_ECC_FAMILY_TWISTED_EDWARDS
               ? size
               : 2 * size + 1;
}

#endif
