/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/config.h>
#include <corral/stack.h>

#include <mbedtls/build_info.h>

/* The oldest hashes have large frames, and the longest the largest. */
#define HAS_OLD_HASHES (CORRAL_WANT_ALG_MD5 || CORRAL_WANT_ALG_RIPEMD160)
#define HAS_LONG_HASHES (CORRAL_WANT_ALG_SHA_384 || CORRAL_WANT_ALG_SHA_512)
#define DIGEST_DEPTH (HAS_LONG_HASHES ? 1120 : HAS_OLD_HASHES ? 424 : 408)
#define HMAC_DEPTH (HAS_LONG_HASHES ? 1008 : HAS_OLD_HASHES ? 520 : 488)

/* Measured with P-256; the reductions of others have frames that are larger by up to this. */
#define HAS_DEEP_REDUCTIONS                                                                        \
    (CORRAL_WANT_ECC_SECP_R1_384 || CORRAL_WANT_ECC_SECP_R1_521 || CORRAL_WANT_ECC_SECP_K1_192 ||  \
     CORRAL_WANT_ECC_SECP_K1_256 || CORRAL_WANT_ECC_MONTGOMERY_448)
#define REDUCTION (HAS_DEEP_REDUCTIONS ? 112 : 0)

/*
 * With curves the library uses 592 bytes, and draws numbers that blind. Whatever it has in
 * registers then, the functions of core and generator save further down: words of secrets were
 * found to 736 bytes. A bound, because each generator has frames of its own. With groups
 * nothing secret is in registers while numbers are drawn.
 */
#define CURVE_DEPTH 832

/* RSA keeps a block as large as the largest key on the stack; 256 bytes of it are in the sum. */
#define RSA_DEPTH (1488 + (MBEDTLS_MPI_MAX_SIZE > 256 ? MBEDTLS_MPI_MAX_SIZE - 256 : 0))

CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_aes, 448)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_aria, 320)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_camellia, 640)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_cmac, 216)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_ccm, 376)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_gcm, 400)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_chachapoly, 336)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_digest, DIGEST_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_hmac, HMAC_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_random, HAS_LONG_HASHES ? 648 : 592)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_curve, CURVE_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_nonce, 1664 + REDUCTION)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_group, 368)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_pake, 936 + REDUCTION)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_rsa, RSA_DEPTH)
