/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library leaves keys and states in its frames and in vector registers. Called right after it,
 * these overwrite both: <corral/stack.h>.
 */
#ifndef AWSLC_STACK_H
#define AWSLC_STACK_H

#include <corral/bindings.h>

/* After hashes, where constructions put keys through them, and after HMAC. */
void awslc_wipe_stack_hash(void);

/* After AES, with its modes, and after ChaCha20 and Poly1305. */
void awslc_wipe_stack_aes(void);
void awslc_wipe_stack_ccm(void);
void awslc_wipe_stack_chachapoly(void);

/* After private keys of curves. */
void awslc_wipe_stack_ec(void);
void awslc_wipe_stack_curve25519(void);

static inline void awslc_hashed(void)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        awslc_wipe_stack_hash();
    }
}

#endif
