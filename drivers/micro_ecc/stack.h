/* SPDX-License-Identifier: Apache-2.0 */
/*
 * micro-ecc leaves private keys, nonces and shared secrets in the frames of its functions. These
 * overwrite them (<corral/stack.h>), unless the configuration forbids it
 * (CORRAL_MICRO_ECC_WIPE_STACK).
 */
#ifndef MICRO_ECC_STACK_H
#define MICRO_ECC_STACK_H

#include <corral/config.h>

void micro_ecc_driver_wipe_frames_sign(void);
void micro_ecc_driver_wipe_frames_keys(void);
void micro_ecc_driver_wipe_frames_agree(void);

/* After signing. */
static inline void micro_ecc_driver_wipe_stack_sign(void)
{
    if (CORRAL_MICRO_ECC_WIPE_STACK) {
        micro_ecc_driver_wipe_frames_sign();
    }
}

/* After making a key pair or a public key. */
static inline void micro_ecc_driver_wipe_stack_keys(void)
{
    if (CORRAL_MICRO_ECC_WIPE_STACK) {
        micro_ecc_driver_wipe_frames_keys();
    }
}

/* After ECDH. */
static inline void micro_ecc_driver_wipe_stack_agree(void)
{
    if (CORRAL_MICRO_ECC_WIPE_STACK) {
        micro_ecc_driver_wipe_frames_agree();
    }
}

#endif
