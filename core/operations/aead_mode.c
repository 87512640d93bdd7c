/* SPDX-License-Identifier: Apache-2.0 */
#include "aead_mode.h"

/* The flag of PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG (B.1.5). */
#define AT_LEAST ((psa_algorithm_t)0x00008000)
/* Lengths that a tag can have, a bit for each. */
#define CCM_TAGS 0x00015550ul
#define GCM_TAGS 0x0001f110ul
#define ASCON_TAGS 0x0001fff0ul
#define DEFAULT_TAG_ONLY 0x00010000ul

#define CCM_NONCE_MIN 7u
#define CCM_NONCE_MAX 13u
/* The nonce of the ChaCha20-Poly1305 from before RFC 8439. */
#define OLD_NONCE 8u

static bool has_tag(psa_algorithm_t alg)
{
    const size_t length = corral_aead_tag_length(alg);
    const uint32_t lengths = corral_aead_is_ccm(alg)     ? CCM_TAGS
                             : corral_aead_is_gcm(alg)   ? GCM_TAGS
                             : corral_aead_is_ascon(alg) ? ASCON_TAGS
                                                         : DEFAULT_TAG_ONLY;

    return length <= CORRAL_TAG_MAX_SIZE && (lengths >> length & 1) != 0;
}

psa_status_t corral_aead_check(psa_key_type_t type, psa_algorithm_t alg)
{
    if (corral_aead_nonce_length(corral_aead_base(alg), type) == 0) {
        return PSA_ALG_IS_AEAD(alg) && (alg & AT_LEAST) == 0 ? PSA_ERROR_NOT_SUPPORTED
                                                             : PSA_ERROR_INVALID_ARGUMENT;
    }
    return (alg & AT_LEAST) == 0 && has_tag(alg) ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

/* A CCM message says its length in the 15 bytes that the nonce leaves (RFC 3610, 2.2). */
static bool ccm_can_say(size_t text_length, size_t nonce_length)
{
    const size_t room = 15 - nonce_length;

    return room >= sizeof text_length || text_length >> (8 * room) == 0;
}

psa_status_t corral_aead_check_nonce(psa_key_type_t type, psa_algorithm_t alg, size_t nonce_length,
                                     size_t text_length)
{
    bool fits;

    if (corral_aead_is_ccm(alg)) {
        fits = nonce_length >= CCM_NONCE_MIN && nonce_length <= CCM_NONCE_MAX &&
               ccm_can_say(text_length, nonce_length);
    } else if (corral_aead_is_gcm(alg)) {
        fits = nonce_length > 0;
    } else {
        fits = nonce_length == corral_aead_nonce_length(corral_aead_base(alg), type);
        if (!fits && nonce_length == OLD_NONCE &&
            corral_aead_is(alg, CORRAL_WANT_ALG_CHACHA20_POLY1305, PSA_ALG_CHACHA20_POLY1305)) {
            return PSA_ERROR_NOT_SUPPORTED;
        }
    }
    return fits ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}
