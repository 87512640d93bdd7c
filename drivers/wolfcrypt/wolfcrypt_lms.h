/* SPDX-License-Identifier: Apache-2.0 */
/* The library's verification of one LMS tree, compiled only into lms.c, and its hashes. */
#ifndef WOLFCRYPT_LMS_H
#define WOLFCRYPT_LMS_H

#include <stdbool.h>

#include <wolfcrypt/src/wc_lms_impl.c> /* NOLINT(bugprone-suspicious-include) */

#if defined(WOLFSSL_LMS_SHAKE256)
static inline bool wolfcrypt_driver_lms_state_start(LmsState *state)
{
    if (LMS_IS_SHAKE(state->params->lmOtsType)) {
        return wc_InitShake256(LMS_STATE_SHAKE(state), NULL, INVALID_DEVID) == 0 &&
               wc_InitShake256(LMS_STATE_SHAKE_K(state), NULL, INVALID_DEVID) == 0;
    }
    return wc_InitSha256(LMS_STATE_HASH(state)) == 0 && wc_InitSha256(LMS_STATE_HASH_K(state)) == 0;
}
#else
static inline bool wolfcrypt_driver_lms_state_start(LmsState *state)
{
    return wc_InitSha256(LMS_STATE_HASH(state)) == 0 && wc_InitSha256(LMS_STATE_HASH_K(state)) == 0;
}
#endif

#endif
