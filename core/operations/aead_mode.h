/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of an AEAD algorithm (PSA Crypto 1.5, 10.6.1): lengths of tags and of
 * nonces, bounds of messages. Drivers are called only if this check succeeds.
 */
#ifndef CORRAL_CORE_OPERATIONS_AEAD_MODE_H
#define CORRAL_CORE_OPERATIONS_AEAD_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/aead.h>
#include <corral/dispatch/aead.h>
#include <psa/crypto.h>

/* Bytes of the longest tag of any AEAD. */
#define CORRAL_TAG_MAX_SIZE 16u

/* True for the algorithm `base`, whatever its tag, if this build has it at all. */
static inline bool corral_aead_is(psa_algorithm_t alg, bool is_wanted, psa_algorithm_t base)
{
    return is_wanted && corral_aead_base(alg) == base;
}

static inline bool corral_aead_is_ccm(psa_algorithm_t alg)
{
    return corral_aead_is(alg, CORRAL_WANT_ALG_CCM, PSA_ALG_CCM);
}

static inline bool corral_aead_is_gcm(psa_algorithm_t alg)
{
    return corral_aead_is(alg, CORRAL_WANT_ALG_GCM, PSA_ALG_GCM);
}

static inline bool corral_aead_is_ascon(psa_algorithm_t alg)
{
    return corral_aead_is(alg, CORRAL_WANT_ALG_ASCON_AEAD128, PSA_ALG_ASCON_AEAD128);
}

/*
 * Check that this build runs `alg` with such keys, and that its tag has a length that it may have.
 *   PSA_ERROR_NOT_SUPPORTED     no driver supports it
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

/*
 * Bytes that an algorithm can take at all (SP 800-38D, 5.2.1.1; RFC 8439, 2.8): its counter of
 * blocks has 32 bits, and some are taken. With a size_t of 32 bits nothing goes that far.
 */
#define CORRAL_AEAD_REACH(limit) ((limit) < SIZE_MAX ? (size_t)(limit) : SIZE_MAX)
#define CORRAL_GCM_TEXT_MAX CORRAL_AEAD_REACH(((uint64_t)1 << 36) - 32)
#define CORRAL_GCM_AD_MAX CORRAL_AEAD_REACH(((uint64_t)1 << 61) - 1)
#define CORRAL_CHACHA20_TEXT_MAX CORRAL_AEAD_REACH(((uint64_t)1 << 38) - 64)

static inline size_t corral_aead_ad_limit(psa_algorithm_t alg)
{
    return CORRAL_GCM_AD_MAX < SIZE_MAX && corral_aead_is_gcm(alg) ? CORRAL_GCM_AD_MAX : SIZE_MAX;
}

static inline size_t corral_aead_text_limit(psa_algorithm_t alg)
{
    if (CORRAL_GCM_TEXT_MAX == SIZE_MAX || corral_aead_is_ccm(alg) || corral_aead_is_ascon(alg)) {
        return SIZE_MAX; /* in CCM the nonce sets the bound; Ascon counts nothing */
    }
    return corral_aead_is_gcm(alg) ? CORRAL_GCM_TEXT_MAX : CORRAL_CHACHA20_TEXT_MAX;
}

#endif
