/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbedtls_ecdsa_sign_det_ext() leaves the private key in its frame. Called right after it returned,
 * and from the same function, this overwrites the frame; the deepest use of the stack does not
 * grow.
 */
#ifndef MBEDTLS_DRIVER_STACK_H
#define MBEDTLS_DRIVER_STACK_H

void mbedtls_driver_wipe_stack(void);

#endif
