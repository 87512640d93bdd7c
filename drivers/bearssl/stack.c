/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <limits.h>

#include <corral/config.h>
#include <corral/rsa.h>
#include <corral/stack.h>

#include "bearssl_pake.h"

/* As in ecc.h. */
#define HAS_SHORT_WORDS (UINT_MAX == 0xffff || CORRAL_BEARSSL_SHORT_WORDS)

/* Integers of the library: with words of 31 bits, and of 15. */
#define DEPTH(of_31_bits, of_15_bits) (HAS_SHORT_WORDS ? (of_15_bits) : (of_31_bits))

/* The nonce of a signature comes from an HMAC over its hash. */
#define P256_SIGN_DEPTH                                                                            \
    DEPTH(CORRAL_WANT_ALG_SHA_384 || CORRAL_WANT_ALG_SHA_512 ? 3000 : 2544, 3568)

/* Numbers have the size of the largest group that the build has, also where they are of a curve. */
#define SAE_FIELD_DEPTH (CORRAL_WANT_DH_RFC3526_4096 ? DEPTH(5240, 5352) : DEPTH(4128, 4192))
#define SAE_CURVE_DEPTH (BEARSSL_SAE_CURVE_SIZE > 32 ? DEPTH(3588, 3536) : DEPTH(1996, 3452))
#define SAE_BOTH_DEPTH (CORRAL_WANT_DH_RFC3526_4096 ? DEPTH(8128, 8304) : DEPTH(6224, 6312))
#define SAE_DEPTH                                                                                  \
    (!CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH    ? SAE_CURVE_DEPTH                                        \
     : !CORRAL_WANT_KEY_TYPE_WPA3_SAE_ECC ? SAE_FIELD_DEPTH                                        \
                                          : SAE_BOTH_DEPTH)

/*
 * Measured with 2048 bits, and 96 bytes for link-time optimisation of the library. A
 * signature is verified in a block as large as the largest key.
 */
#define RSA_BLOCK (CORRAL_RSA_MAX_SIZE > 256 ? CORRAL_RSA_MAX_SIZE - 256 : 0)
#define RSA_DEPTH (DEPTH(3328, 3376) + RSA_BLOCK)

CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_digest, 472)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_digest_long, 1032)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_hmac, 1112)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_hmac_long, 1592)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_aes, 808)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_aead, 960)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_random, 1408)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_x25519, DEPTH(836, 772))
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_p256_sign, P256_SIGN_DEPTH)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_p256_agree, DEPTH(1456, 2776))
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_prime_sign, DEPTH(3824, 3760))
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_prime_agree, DEPTH(2840, 2776))
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_chacha20, 484)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_sae, SAE_DEPTH)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_rsa, RSA_DEPTH)
