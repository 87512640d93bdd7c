/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <stdint.h>

#include <corral/config.h>
#include <corral/driver.h>
#include <corral/stack.h>

/* Inlined into a caller, the buffer would lie beside the frames to be wiped. */
#if defined(__GNUC__)
#define KEEP_APART __attribute__((noinline))
#else
#define KEEP_APART
#endif

/* The sizes below are those of a Cortex-M4; larger processors have larger frames, and room. */
#if UINTPTR_MAX > 0xffffffff
#define TIMES 4
#else
#define TIMES 1
#endif

KEEP_APART void mbedtls_driver_wipe_stack(void)
{
    uint8_t frames[TIMES * 1024]; /* the frame is within the first 700 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void mbedtls_driver_wipe_stack_aes(void)
{
    uint8_t frames[TIMES * 448]; /* of mbedtls_aes_setkey_dec(), the largest */

    corral_wipe(frames, sizeof(frames));
}

/* The oldest hashes have large frames, and the longest the largest. */
#define HAS_OLD_HASHES (PSA_WANT_ALG_MD5 || PSA_WANT_ALG_RIPEMD160)
#define HAS_LONG_HASHES (PSA_WANT_ALG_SHA_384 || PSA_WANT_ALG_SHA_512)
#define DIGEST_DEPTH (HAS_OLD_HASHES ? 416 : 320)
#define HMAC_DEPTH (HAS_LONG_HASHES ? 992 : HAS_OLD_HASHES ? 512 : 480)

CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_digest, DIGEST_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_hmac, HMAC_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_aria, 320)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_camellia, 640)
