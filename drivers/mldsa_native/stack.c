/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(mldsa_native_driver_wipe_stack_shake, 336)
