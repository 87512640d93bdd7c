/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <corral/stack.h>

/*
 * Of the frames on 64-bit processors, a quarter: AES in C has the largest, of 2,416 bytes. CCM has
 * a buffer of 2,048 above it.
 */
CORRAL_STACK_WIPER(awslc_wipe_stack_hash, 512)
CORRAL_STACK_WIPER(awslc_wipe_stack_aes, 896)
CORRAL_STACK_WIPER(awslc_wipe_stack_ccm, 896 + 576)
CORRAL_STACK_WIPER(awslc_wipe_stack_chachapoly, 512)
CORRAL_STACK_WIPER(awslc_wipe_stack_ec, 3072)
CORRAL_STACK_WIPER(awslc_wipe_stack_curve25519, 1152)
