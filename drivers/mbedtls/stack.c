/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/config.h>
#include <corral/stack.h>

#include <mbedtls/build_info.h>

/* The oldest hashes have large frames, and the longest the largest. */
#define HAS_OLD_HASHES (PSA_WANT_ALG_MD5 || PSA_WANT_ALG_RIPEMD160)
#define HAS_LONG_HASHES (PSA_WANT_ALG_SHA_384 || PSA_WANT_ALG_SHA_512)
#define DIGEST_DEPTH (HAS_LONG_HASHES ? 1112 : HAS_OLD_HASHES ? 416 : 400)
#define HMAC_DEPTH (HAS_LONG_HASHES ? 992 : HAS_OLD_HASHES ? 512 : 480)

/* RSA keeps a block as large as the largest key on the stack; 256 bytes of it are in the sum. */
#define NUMBERS_DEPTH (2400 + (MBEDTLS_MPI_MAX_SIZE > 256 ? MBEDTLS_MPI_MAX_SIZE - 256 : 0))

CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_aes, 448)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_aria, 320)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_camellia, 640)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_modes, 1000)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_chachapoly, 600)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_digest, DIGEST_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_hmac, HMAC_DEPTH)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_random, HAS_LONG_HASHES ? 640 : 584)
CORRAL_STACK_WIPER(mbedtls_driver_wipe_stack_numbers, NUMBERS_DEPTH)
