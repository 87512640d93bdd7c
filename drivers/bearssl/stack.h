/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BearSSL leaves copies of private keys, nonces, key schedules and shared secrets in the frames of
 * its functions. These overwrite them: <corral/stack.h>.
 */
#ifndef BEARSSL_STACK_H
#define BEARSSL_STACK_H

#include <corral/bindings.h>

/* After an update of a hash or HMAC; long: SHA-384 and SHA-512. */
void bearssl_driver_wipe_stack_digest(void);
void bearssl_driver_wipe_stack_digest_long(void);

/* After the beginning or the end of an HMAC. */
void bearssl_driver_wipe_stack_hmac(void);
void bearssl_driver_wipe_stack_hmac_long(void);

/*
 * After hashing. Nothing is done in builds whose hashes see messages only: where there is no
 * construction over them that works with keys.
 */
static inline void bearssl_driver_wipe_stack_hash(void)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        bearssl_driver_wipe_stack_digest();
    }
}

static inline void bearssl_driver_wipe_stack_hash_long(void)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        bearssl_driver_wipe_stack_digest_long();
    }
}

/* After key expansion, encryption and decryption with AES. */
void bearssl_driver_wipe_stack_aes(void);

/* The same after GCM and CCM. */
void bearssl_driver_wipe_stack_aead(void);

/* After HMAC_DRBG with SHA-256. */
void bearssl_driver_wipe_stack_random(void);

/* After X25519. */
void bearssl_driver_wipe_stack_x25519(void);

/* After ChaCha20 under Poly1305. */
void bearssl_driver_wipe_stack_chacha20(void);

/* After ECDSA on P-256, and after ECDH and keys. */
void bearssl_driver_wipe_stack_p256_sign(void);
void bearssl_driver_wipe_stack_p256_agree(void);

/* The same on P-384 and P-521. */
void bearssl_driver_wipe_stack_prime_sign(void);
void bearssl_driver_wipe_stack_prime_agree(void);

/* After WPA3-SAE, in any group. */
void bearssl_driver_wipe_stack_sae(void);

/* After RSA private operations. */
void bearssl_driver_wipe_stack_rsa(void);

#endif
