/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wolfCrypt leaves words of keys and states in the frames of its functions. These overwrite them:
 * <corral/stack.h>.
 */
#ifndef WOLFCRYPT_STACK_H
#define WOLFCRYPT_STACK_H

/* After a permutation of Ascon, which spills words of its state. */
void wolfcrypt_driver_wipe_stack_ascon(void);

/* After BLAKE2s. */
void wolfcrypt_driver_wipe_stack_blake2s(void);

/* After a private key on Curve448 or Edwards448. */
void wolfcrypt_driver_wipe_stack_448(void);

/* After a private key of SLH-DSA. */
void wolfcrypt_driver_wipe_stack_slh(void);

#endif
