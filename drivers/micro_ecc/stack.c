/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(micro_ecc_driver_wipe_frames_sign, 840)
CORRAL_STACK_WIPER(micro_ecc_driver_wipe_frames_keys, 784)
CORRAL_STACK_WIPER(micro_ecc_driver_wipe_frames_agree, 744)
