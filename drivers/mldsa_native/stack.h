/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MLDSA_NATIVE_STACK_H
#define MLDSA_NATIVE_STACK_H

/* Overwrite the stack on which Keccak-f has left its state, which may be of a secret. */
void mldsa_native_driver_wipe_stack_shake(void);

#endif
