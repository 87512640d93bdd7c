/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(wolfcrypt_driver_wipe_stack_ascon, 208)
/* Measured, and 456 bytes for link-time optimisation of the library. */
CORRAL_STACK_WIPER(wolfcrypt_driver_wipe_stack_448, 1900 + 456)
CORRAL_STACK_WIPER(wolfcrypt_driver_wipe_stack_blake2s, 320)
CORRAL_STACK_WIPER(wolfcrypt_driver_wipe_stack_slh, 4096)
