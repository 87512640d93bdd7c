/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

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
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_sae, 3800)
CORRAL_STACK_WIPER(bearssl_driver_wipe_stack_rsa, 2500)
