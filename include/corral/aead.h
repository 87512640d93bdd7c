/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of AEAD algorithm identifiers, for the core and for drivers. */
#ifndef CORRAL_AEAD_H
#define CORRAL_AEAD_H

#include <stddef.h>

#include <psa/crypto.h>

/* Bytes of the tag that `alg`, an AEAD, spells out. */
static inline size_t corral_aead_tag_length(psa_algorithm_t alg)
{
    return alg >> 16 & 0x3fu;
}

#endif
