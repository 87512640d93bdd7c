/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the core has to know of an AEAD algorithm (PSA Crypto 1.5, 10.6.1): lengths of tags and of
 * nonces, bounds of messages. Drivers are asked only for what passes here.
 */
#ifndef CORRAL_CORE_AEAD_MODE_H
#define CORRAL_CORE_AEAD_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/dispatch/aead.h>
#include <psa/crypto.h>

/* Bytes of the longest tag of any AEAD. */
#define CORRAL_TAG_MAX_SIZE 16u

/* Bytes of the tag that `alg` spells out. */
static inline size_t corral_aead_tag_length(psa_algorithm_t alg)
{
    return (size_t)(alg >> 16 & 0x3f);
}

/* True for the algorithm `base`, whatever its tag, if this build has it at all. */
static inline bool corral_aead_is(psa_algorithm_t alg, bool is_wanted, psa_algorithm_t base)
{
    return is_wanted && corral_aead_base(alg) == base;
}

static inline bool corral_aead_is_ccm(psa_algorithm_t alg)
{
    return corral_aead_is(alg, PSA_WANT_ALG_CCM, PSA_ALG_CCM);
}

static inline bool corral_aead_is_gcm(psa_algorithm_t alg)
{
    return corral_aead_is(alg, PSA_WANT_ALG_GCM, PSA_ALG_GCM);
}

/*
 * Check that this build runs `alg` with such keys, and that its tag has a length that it may have.
 *   PSA_ERROR_NOT_SUPPORTED     nobody serves it
 *   PSA_ERROR_INVALID_ARGUMENT  no AEAD, a wildcard, or no such tag
 */
psa_status_t corral_aead_check(psa_key_type_t type, psa_algorithm_t alg);

/*
 * Check the lengths of a message: the nonce's, and whether the algorithm reaches that far. `alg`
 * has passed corral_aead_check().
 *   PSA_ERROR_NOT_SUPPORTED     the older ChaCha20-Poly1305, with a nonce of 8 bytes
 *   PSA_ERROR_INVALID_ARGUMENT  no nonce of this length, or too much data for it
 */
psa_status_t corral_aead_check_nonce(psa_key_type_t type, psa_algorithm_t alg, size_t nonce_length,
                                     size_t text_length);

/* Bytes of additional data, and of text, that `alg` can take at all. */
size_t corral_aead_ad_limit(psa_algorithm_t alg);
size_t corral_aead_text_limit(psa_algorithm_t alg);

#endif
