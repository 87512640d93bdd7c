/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BearSSL leaves copies of private keys, nonces and shared secrets in the frames of its functions.
 * Called right after the library returned, and from the same function, these overwrite as much of
 * the stack as the library uses on a 32-bit processor; the deepest use does not grow by it.
 */
#ifndef BEARSSL_STACK_H
#define BEARSSL_STACK_H

/* After X25519. */
void bearssl_driver_wipe_stack_x25519(void);

/* After ChaCha20 under Poly1305. */
void bearssl_driver_wipe_stack_chacha20(void);

/* After ECDSA and ECDH on P-256. */
void bearssl_driver_wipe_stack_p256_sign(void);
void bearssl_driver_wipe_stack_p256_agree(void);

/* After ECDSA and ECDH on P-384 and P-521. */
void bearssl_driver_wipe_stack_prime_sign(void);
void bearssl_driver_wipe_stack_prime_agree(void);

#endif
