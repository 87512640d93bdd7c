/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

/* With link-time optimisation the ladder is one function, whose frame is larger on 8 bits. */
#define X25519_DEPTH (UINTPTR_MAX > 0xffff ? 744 : 744 + 240)

CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_blake2b, 560)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_sha512, 480)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_chacha20, 316)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_poly1305, 136)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_aead, 452)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_x25519, X25519_DEPTH)
/* Measured, and 192 bytes for link-time optimisation of the library. */
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_ed25519, 1168 + 192)
