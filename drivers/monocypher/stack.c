/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_blake2b, 560)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_sha512, 480)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_chacha20, 312)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_poly1305, 136)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_aead, 448)
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_x25519, 744)
/* Measured, and 192 bytes for link-time optimisation of the library. */
CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_ed25519, 1168 + 192)
