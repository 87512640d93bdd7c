/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbedtls_ecdsa_sign_det_ext() leaves the private key in its frame. Called right after it returned,
 * and from the same function, this overwrites the frame; the deepest use of the stack does not
 * grow.
 */
#ifndef MBEDTLS_DRIVER_STACK_H
#define MBEDTLS_DRIVER_STACK_H

void mbedtls_driver_wipe_stack(void);

/*
 * The same after mbedtls_aes_setkey_dec() and after decrypting: the last words of the schedule for
 * decryption are the key's, and stay behind among the registers that were saved.
 */
void mbedtls_driver_wipe_stack_aes(void);

#endif
