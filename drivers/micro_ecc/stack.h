/* SPDX-License-Identifier: Apache-2.0 */
/*
 * micro-ecc leaves private keys, nonces and shared secrets in the frames of its functions. Called
 * right after the library returned, and from the same function, this overwrites them if the
 * configuration wants it (CORRAL_MICRO_ECC_WIPE_STACK); the deepest use of the stack does not grow
 * by it.
 */
#ifndef MICRO_ECC_STACK_H
#define MICRO_ECC_STACK_H

void micro_ecc_driver_wipe_stack(void);

#endif
