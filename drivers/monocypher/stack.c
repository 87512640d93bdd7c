/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(monocypher_driver_wipe_stack_blake2b, 560)
