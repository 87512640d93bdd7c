/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/config.h>
#include <corral/stack.h>

/* Numbers have the size of the largest group that the build has. */
#define SAE_DEPTH                                                                                  \
    (PSA_WANT_KEY_TYPE_WPA3_SAE_DH ? (PSA_WANT_DH_RFC3526_4096 ? 5160 : 4240)                      \
     : PSA_WANT_ECC_SECP_R1_521 || PSA_WANT_ECC_SECP_R1_384 ? 3190                                 \
                                                            : 1976)

CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_digest, 472)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_digest_long, 1032)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_hmac, 1112)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_hmac_long, 1592)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_aes, 808)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_aead, 960)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_random, 1408)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_x25519, 832)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_p256_sign, 2520)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_p256_agree, 1456)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_prime_sign, 3824)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_prime_agree, 2840)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_chacha20, 472)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_sae, SAE_DEPTH)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_rsa, 2500)
