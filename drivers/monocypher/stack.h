/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library wipes its buffers, but not the field elements, the words of states and of key streams
 * that its functions hold in frames and saved registers. Called right after the library, and from
 * the same function, these overwrite what was left: <corral/stack.h>.
 */
#ifndef MONOCYPHER_DRIVER_STACK_H
#define MONOCYPHER_DRIVER_STACK_H

#include <corral/bindings.h>

/* After BLAKE2b. */
void monocypher_driver_wipe_stack_blake2b(void);

void monocypher_driver_wipe_stack_sha512(void);

/* After hashing, in builds where a construction puts keys through the hash. */
static inline void monocypher_driver_wipe_stack_hash(void)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        monocypher_driver_wipe_stack_sha512();
    }
}

/* After the key stream, and after the derivation of a key from an extended nonce. */
void monocypher_driver_wipe_stack_chacha20(void);

/* After only Poly1305, and after whole messages. */
void monocypher_driver_wipe_stack_poly1305(void);
void monocypher_driver_wipe_stack_aead(void);

/* After a private key on Curve25519 or Edwards25519. */
void monocypher_driver_wipe_stack_x25519(void);
void monocypher_driver_wipe_stack_ed25519(void);

#endif
